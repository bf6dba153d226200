// The bodies of a crowd, colored by what they do.

import * as THREE from "three";
import type { AgentDescription } from "../messages";
import { STATES, hex } from "../palette";
import type { Stage } from "./stage";

export class Bodies {
  private mesh: THREE.InstancedMesh | null = null;
  private readonly colors = STATES.map(({ color }) => new THREE.Color(hex(color)));

  constructor(private readonly stage: Stage) {}

  clear(): void {
    if (this.mesh) {
      this.stage.scene.remove(this.mesh);
      this.mesh.geometry.dispose();
      this.mesh.dispose();
    }
    this.mesh = null;
    this.stage.invalidate();
  }

  /** Puts bodies where they are: x, y, z and the facing of each [m, rad], and what they do. */
  show(agent: AgentDescription, at: Float32Array, states: Uint8Array): void {
    if (this.mesh?.count !== states.length) {
      this.clear();
      this.mesh = new THREE.InstancedMesh(bodyOf(agent), new THREE.MeshLambertMaterial(), states.length);
      this.mesh.frustumCulled = false;
      this.stage.scene.add(this.mesh);
    }
    const place = new THREE.Object3D();
    for (let i = 0; i < states.length; i++) {
      place.position.set(at[4 * i], at[4 * i + 1], at[4 * i + 2]);
      place.rotation.y = -at[4 * i + 3];
      place.updateMatrix();
      this.mesh.setMatrixAt(i, place.matrix);
      this.mesh.setColorAt(i, this.colors[states[i]] ?? this.colors[0]);
    }
    this.mesh.instanceMatrix.needsUpdate = true;
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
    this.stage.invalidate();
  }
}

/** A capsule that stands on its origin, with a nose towards +x. */
function bodyOf({ radius, height }: AgentDescription): THREE.BufferGeometry {
  const straight = Math.max(height - 2 * radius, 0);
  const capsule = new THREE.CapsuleGeometry(radius, straight, 4, 12);
  capsule.translate(0, height / 2, 0);
  return capsule;
}
