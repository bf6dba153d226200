// The obstacles that the user has put into the level.

import * as THREE from "three";
import type { Shape, Vec3 } from "../messages";
import type { Stage } from "./stage";

export class Obstacles {
  private readonly group = new THREE.Group();
  private readonly plain = new THREE.MeshLambertMaterial({ color: 0xe08a2e, opacity: 0.85, transparent: true });
  private readonly chosen = new THREE.MeshLambertMaterial({ color: 0xffc04d, opacity: 0.95, transparent: true });

  constructor(private readonly stage: Stage) {
    stage.scene.add(this.group);
  }

  show(shapes: Shape[], chosen: number | null): void {
    this.group.children.forEach((mesh) => (mesh as THREE.Mesh).geometry.dispose());
    this.group.clear();
    shapes.forEach((shape, index) => {
      const mesh = meshOf(shape, index === chosen ? this.chosen : this.plain);
      mesh.userData.index = index;
      this.group.add(mesh);
    });
    this.stage.invalidate();
  }

  /** The obstacle that a ray meets first. */
  hit(ray: THREE.Raycaster): { index: number; distance: number } | null {
    const [hit] = ray.intersectObject(this.group, true);
    return hit ? { index: hit.object.userData.index, distance: hit.distance } : null;
  }
}

function meshOf(shape: Shape, material: THREE.Material): THREE.Mesh {
  switch (shape.shape) {
    case "box": {
      const [x, y, z] = shape.half;
      const mesh = new THREE.Mesh(new THREE.BoxGeometry(2 * x, 2 * y, 2 * z), material);
      mesh.position.set(shape.at[0], shape.at[1] + y, shape.at[2]);
      // The yaw of the library turns from +x towards +z, that of three from +z towards +x.
      mesh.rotation.y = -shape.yaw;
      return mesh;
    }
    case "cylinder": {
      const { at, radius, height } = shape;
      const mesh = new THREE.Mesh(new THREE.CylinderGeometry(radius, radius, height, 32), material);
      mesh.position.set(at[0], at[1] + height / 2, at[2]);
      return mesh;
    }
    case "prism": {
      const outline = new THREE.Shape(shape.corners.map(([x, z]) => new THREE.Vector2(x, -z)));
      const depth = shape.top - shape.bottom;
      const mesh = new THREE.Mesh(new THREE.ExtrudeGeometry(outline, { depth, bevelEnabled: false }), material);
      mesh.rotation.x = -Math.PI / 2;
      mesh.position.y = shape.bottom;
      return mesh;
    }
  }
}

/** A new obstacle of a kind on the ground. */
export function shapeAt(kind: Shape["shape"], at: Vec3): Shape {
  switch (kind) {
    case "box":
      return { shape: kind, at, half: [1, 0.75, 1], yaw: 0 };
    case "cylinder":
      return { shape: kind, at, radius: 1, height: 1.5 };
    case "prism": {
      const corner = (turn: number): [number, number] =>
        [at[0] + 1.5 * Math.cos(turn), at[2] + 1.5 * Math.sin(turn)];
      const corners = [0, 1, 2, 3, 4].map((i) => corner((i * 2 * Math.PI) / 5));
      return { shape: kind, corners, bottom: at[1] - 0.25, top: at[1] + 1.5 };
    }
  }
}

/** The same obstacle with its middle elsewhere on the ground. */
export function moved(shape: Shape, to: Vec3): Shape {
  if (shape.shape !== "prism") return { ...shape, at: to };
  const [x, z] = [0, 1].map((axis) => shape.corners.reduce((sum, at) => sum + at[axis], 0) / shape.corners.length);
  const height = shape.top - shape.bottom;
  const corners = shape.corners.map(([cx, cz]): [number, number] => [cx - x + to[0], cz - z + to[2]]);
  return { ...shape, corners, bottom: to[1] - 0.25, top: to[1] - 0.25 + height };
}

/** The same obstacle, so many times as large. */
export function scaled(shape: Shape, by: number): Shape {
  switch (shape.shape) {
    case "box":
      return { ...shape, half: shape.half.map((v) => v * by) as Vec3 };
    case "cylinder":
      return { ...shape, radius: shape.radius * by, height: shape.height * by };
    case "prism": {
      const [x, z] = [0, 1].map((axis) => shape.corners.reduce((sum, at) => sum + at[axis], 0) / shape.corners.length);
      const corners = shape.corners.map(([cx, cz]): [number, number] => [x + (cx - x) * by, z + (cz - z) * by]);
      return { ...shape, corners, top: shape.bottom + (shape.top - shape.bottom) * by };
    }
  }
}
