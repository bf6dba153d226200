// The scene: its solids, half transparent, with the name of the one under the pointer.

import * as THREE from "three";
import { parseMessage } from "../messages";
import type { Bytes } from "../source";
import type { State } from "../state";
import type { Hit, Stage } from "./stage";

interface Solid {
  node: string;
  first: number;
  triangles: number;
  obstacle: boolean;
}

interface SceneFile {
  solids: Solid[];
  triangles: number;
}

/** Rays are cast by the page: larger scenes would make it stutter [triangles]. */
const MOST_TRIANGLES = 400_000;

export class Solids {
  private readonly group = new THREE.Group();
  /** One for each solid, to cast rays at; they are drawn together. */
  private meshes: THREE.Mesh[] = [];
  private drawn: THREE.BufferGeometry[] = [];
  private lit: string[] = [];
  private triangles = 0;
  private readonly plain = material(0xb9b2a6, 0.42);
  private readonly obstacle = material(0xc08f86, 0.5);
  private readonly bright = material(0xff5a36, 0.85);
  private readonly litGroup = new THREE.Group();
  private readonly cut = new THREE.Plane(new THREE.Vector3(0, -1, 0), 1e9);

  constructor(private readonly stage: Stage) {
    stage.scene.add(this.group, this.litGroup);
    stage.renderer.localClippingEnabled = true;
    for (const own of [this.plain, this.obstacle, this.bright]) own.clippingPlanes = [this.cut];
  }

  /** Shows the solids of a file that the server or the export made; see src/scene_file.rs. */
  load(bytes: Bytes | null): void {
    [...this.drawn, ...this.meshes.map(({ geometry }) => geometry)].forEach((geometry) => geometry.dispose());
    this.group.clear();
    [this.meshes, this.drawn, this.triangles] = [[], [], 0];
    if (!bytes) return this.stage.invalidate();
    const { value, arrays } = parseMessage<SceneFile>(bytes);
    const positions = arrays.positions as Float32Array;
    const cornersOf = ({ first, triangles }: Solid) => positions.subarray(first * 9, (first + triangles) * 9);
    for (const solid of value.solids) {
      const mesh = new THREE.Mesh(geometryOf(cornersOf(solid)), this.bright);
      mesh.userData.node = solid.node;
      this.meshes.push(mesh);
    }
    for (const isObstacle of [false, true]) {
      const own = value.solids.filter(({ obstacle }) => obstacle === isObstacle);
      const all = own.length === value.solids.length ? positions : joined(own.map(cornersOf));
      if (all.length === 0) continue;
      const geometry = geometryOf(all);
      const mesh = new THREE.Mesh(geometry, isObstacle ? this.obstacle : this.plain);
      mesh.renderOrder = 1;
      this.drawn.push(geometry);
      this.group.add(mesh);
    }
    this.triangles = value.triangles;
    this.light(this.lit);
  }

  show(state: State): void {
    this.group.visible = this.litGroup.visible = state.showScene;
    this.cut.constant = state.cut ?? 1e9;
    this.stage.invalidate();
  }

  /** Lights up the solids of some nodes. */
  light(nodes: string[]): void {
    this.lit = nodes;
    this.litGroup.clear();
    const own = this.meshes.filter((mesh) => nodes.includes(mesh.userData.node));
    if (own.length > 0) this.litGroup.add(...own);
    this.stage.invalidate();
  }

  get count(): number {
    return this.meshes.length;
  }

  /** The node that a ray meets first. */
  hit(ray: THREE.Raycaster): (Hit & { node: string }) | null {
    if (!this.group.visible || this.triangles > MOST_TRIANGLES) return null;
    const hits = ray.intersectObjects(this.meshes, false);
    const hit = hits.find(({ point }) => this.cut.distanceToPoint(point) >= 0);
    return hit ? { point: hit.point, distance: hit.distance, node: hit.object.userData.node } : null;
  }
}

function geometryOf(corners: Float32Array): THREE.BufferGeometry {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(corners, 3));
  return geometry;
}

function joined(parts: Float32Array[]): Float32Array {
  const all = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function material(color: number, opacity: number): THREE.MeshLambertMaterial {
  return new THREE.MeshLambertMaterial({
    color,
    opacity,
    transparent: true,
    depthWrite: false,
    flatShading: true,
    side: THREE.DoubleSide,
    forceSinglePass: true,
    polygonOffset: true,
    polygonOffsetFactor: 1,
    polygonOffsetUnits: 1,
  });
}
