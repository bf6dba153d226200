// The grid: chunks of merged rectangles, fine near the eye and coarse far from it.
//
// Each chunk asks the solver for its rectangles when it comes into view, or when what is shown changes, and
// keeps the old ones until the new ones are there. Corners have a kind; a table of colors says what a kind
// looks like, so that a theme costs nothing.

import * as THREE from "three";
import type { GroundRequest, LevelDescription } from "../messages";
import { VERDICTS, layerKinds } from "../palette";
import type { Solver } from "../solver";
import type { State } from "../state";
import type { Hit, Stage } from "./stage";

/** How far floors may lie from what is shown, by level of detail [m]. */
const TOLERANCES = [0.015, 0.12, 0.5];
/** A level of detail ends at this distance [sides of a chunk]. */
const DETAIL_ENDS = [4, 10];
/** More rectangles than this are not kept; the farthest go first. */
const MOST_RECTANGLES = 6_000_000;
/** So many asks are under way at once: more would keep other questions waiting. */
const MOST_ASKS = 2;

interface Chunk {
  x: number;
  z: number;
  center: THREE.Vector3;
  mesh: THREE.Mesh<THREE.BufferGeometry, THREE.ShaderMaterial> | null;
  /** What the mesh shows; empty before the first. */
  shown: string;
  isAsked: boolean;
  rectangles: number;
}

export class Ground {
  private readonly group = new THREE.Group();
  private readonly colors = new THREE.DataTexture(new Uint8Array(256 * 4), 256, 1, THREE.RGBAFormat);
  private readonly material: THREE.ShaderMaterial;
  private indices = new THREE.BufferAttribute(new Uint32Array(0), 1);
  private chunks: Chunk[] = [];
  private asks = 0;
  private level: LevelDescription | null = null;
  private state: State | null = null;
  private agent = 0;
  /** Counts levels, so that answers about an older one are dropped. */
  private generation = 0;

  constructor(private readonly stage: Stage, private readonly solver: Solver) {
    this.material = new THREE.ShaderMaterial({
      uniforms: { colors: { value: this.colors }, cut: { value: 1e9 } },
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      side: THREE.DoubleSide,
    });
    this.colors.colorSpace = THREE.SRGBColorSpace;
    stage.scene.add(this.group);
    stage.beforeFrame.push(() => this.request());
  }

  /** Shows a level; meshes of the old one stay until there are new ones. */
  setLevel(level: LevelDescription): void {
    const isAlike = this.level && String(this.level.chunks) === String(level.chunks)
      && String(this.level.min) === String(level.min);
    this.level = level;
    this.generation++;
    if (isAlike) {
      this.chunks.forEach((chunk) => (chunk.shown = `old ${chunk.shown}`));
    } else {
      this.chunks.forEach((chunk) => chunk.mesh?.geometry.dispose());
      this.group.clear();
      this.chunks = [];
      const [countX, countZ] = level.chunks;
      const middle = (level.min[1] + level.max[1]) / 2;
      for (let z = 0; z < countZ; z++) {
        for (let x = 0; x < countX; x++) {
          const center = new THREE.Vector3(
            level.min[0] + (x + 0.5) * level.chunk_side, middle, level.min[2] + (z + 0.5) * level.chunk_side,
          );
          this.chunks.push({ x, z, center, mesh: null, shown: "", isAsked: false, rectangles: 0 });
        }
      }
    }
    this.stage.invalidate();
  }

  show(state: State, agent: number): void {
    this.state = state;
    this.agent = agent;
    this.group.visible = state.showGround;
    this.material.uniforms.cut.value = state.cut ?? 1e9;
    if (this.level) {
      for (const { kind, color } of [...VERDICTS, ...layerKinds(state.layer, this.level)]) {
        this.colors.image.data?.set([...color, 255], kind * 4);
      }
      this.colors.needsUpdate = true;
    }
    this.stage.invalidate();
  }

  /** Whether everything shown is as fine as it is to be. */
  get isComplete(): boolean {
    return this.asks === 0 && this.chunks.every((chunk) => chunk.shown === this.wanted(chunk).name);
  }

  get rectangles(): number {
    return this.chunks.reduce((sum, chunk) => sum + chunk.rectangles, 0);
  }

  hit(ray: THREE.Raycaster): Hit | null {
    if (!this.group.visible) return null;
    const cut = this.material.uniforms.cut.value;
    const hits = ray.intersectObject(this.group, true);
    const hit = hits.find(({ point }) => point.y <= cut);
    return hit ? { point: hit.point, distance: hit.distance } : null;
  }

  private detail(chunk: Chunk): number {
    const side = this.level?.chunk_side ?? 1;
    const { camera } = this.stage;
    if (camera instanceof THREE.OrthographicCamera) {
      return camera.zoom > 3 || this.chunks.length < 150 ? 0 : 1;
    }
    const away = Math.max(camera.position.distanceTo(chunk.center) / side - 0.7, 0);
    const detail = DETAIL_ENDS.findIndex((end) => away < end);
    return detail < 0 ? TOLERANCES.length - 1 : detail;
  }

  private wanted(chunk: Chunk): { name: string; request: GroundRequest } {
    const { layer, verdicts } = this.state ?? { layer: "verdict" as const, verdicts: 0 };
    const tolerance = TOLERANCES[this.detail(chunk)];
    const request = { agent: this.agent, layer, x: chunk.x, z: chunk.z, tolerance, verdicts };
    return { name: `${this.agent} ${layer} ${tolerance} ${verdicts}`, request };
  }

  /** Asks for the nearest chunk that is not as it is to be; returns whether more are to come. */
  private request(): boolean {
    if (!this.state?.showGround) return false;
    const eye = this.stage.camera.position;
    while (this.asks < MOST_ASKS) {
      let next: Chunk | null = null;
      let least = Infinity;
      for (const chunk of this.chunks) {
        if (chunk.isAsked || chunk.shown === this.wanted(chunk).name) continue;
        // What is not there at all comes before what is only coarse.
        const away = chunk.center.distanceToSquared(eye) * (chunk.shown ? 100 : 1);
        if (away < least) [next, least] = [chunk, away];
      }
      if (!next) break;
      void this.fill(next);
    }
    return false;
  }

  private async fill(chunk: Chunk): Promise<void> {
    const { name, request } = this.wanted(chunk);
    const generation = this.generation;
    chunk.isAsked = true;
    this.asks++;
    try {
      const { arrays } = await this.solver.ask({ ask: "ground", ground: request });
      if (generation === this.generation) {
        this.replace(chunk, arrays.corners as Float32Array, arrays.kinds as Uint8Array);
        chunk.shown = name;
      }
    } catch (error) {
      // Not asked again: the same question has the same answer.
      chunk.shown = name;
      console.error(error);
    } finally {
      chunk.isAsked = false;
      this.asks--;
      // On without waiting for a frame: drawing may take longer than asking.
      this.request();
      this.stage.invalidate();
    }
  }

  private replace(chunk: Chunk, corners: Float32Array, kinds: Uint8Array): void {
    chunk.mesh?.geometry.dispose();
    if (chunk.mesh) this.group.remove(chunk.mesh);
    chunk.mesh = null;
    chunk.rectangles = kinds.length / 4;
    if (kinds.length === 0) return;
    this.growIndices(chunk.rectangles);
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(corners, 3));
    geometry.setAttribute("kind", new THREE.BufferAttribute(kinds, 1));
    geometry.setIndex(this.indices);
    geometry.setDrawRange(0, chunk.rectangles * 6);
    geometry.computeBoundingSphere();
    chunk.mesh = new THREE.Mesh(geometry, this.material);
    chunk.mesh.matrixAutoUpdate = false;
    this.group.add(chunk.mesh);
    this.dropFarthest();
  }

  /** All chunks share one list of indices, as long as the largest of them needs. */
  private growIndices(rectangles: number): void {
    if (this.indices.count >= rectangles * 6) return;
    const most = Math.max(rectangles, 8192);
    const indices = new Uint32Array(most * 6);
    for (let i = 0; i < most; i++) {
      indices.set([4 * i, 4 * i + 1, 4 * i + 2, 4 * i, 4 * i + 2, 4 * i + 3], 6 * i);
    }
    this.indices = new THREE.BufferAttribute(indices, 1);
    this.chunks.forEach((chunk) => chunk.mesh?.geometry.setIndex(this.indices));
  }

  private dropFarthest(): void {
    if (this.rectangles <= MOST_RECTANGLES) return;
    const eye = this.stage.camera.position;
    const held = this.chunks.filter((chunk) => chunk.mesh);
    const farthest = held.reduce((a, b) =>
      a.center.distanceToSquared(eye) > b.center.distanceToSquared(eye) ? a : b);
    farthest.mesh?.geometry.dispose();
    if (farthest.mesh) this.group.remove(farthest.mesh);
    [farthest.mesh, farthest.rectangles] = [null, 0];
  }
}

const VERTEX = `
  attribute float kind;
  uniform sampler2D colors;
  varying vec3 place;
  varying vec4 tint;
  void main() {
    place = (modelMatrix * vec4(position, 1.0)).xyz;
    tint = texture2D(colors, vec2((kind + 0.5) / 256.0, 0.5));
    // Towards the eye, so that the scene's own floors do not show through what is only nearly there.
    vec4 seen = viewMatrix * vec4(place, 1.0);
    if (isOrthographic) seen.z += 0.6;
    else seen.xyz *= 1.0 - min(0.03 / length(seen.xyz) + 0.004, 0.2);
    gl_Position = projectionMatrix * seen;
  }
`;

// Flat faces: their normal is that of the triangle on the screen.
const FRAGMENT = `
  uniform float cut;
  varying vec3 place;
  varying vec4 tint;
  void main() {
    if (place.y > cut) discard;
    vec3 normal = normalize(cross(dFdx(place), dFdy(place)));
    float light = 0.62 + 0.38 * abs(dot(normal, normalize(vec3(0.45, 0.85, 0.3))));
    gl_FragColor = vec4(tint.rgb * light, 1.0);
    #include <colorspace_fragment>
  }
`;
