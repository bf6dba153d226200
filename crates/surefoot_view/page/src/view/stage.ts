// The canvas: renderer, light, cameras, and a frame only when something has changed.

import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { LevelDescription, Vec3 } from "../messages";
import type { CameraMode, Store } from "../state";

/** Where a ray from the pointer meets something. */
export interface Hit {
  point: THREE.Vector3;
  distance: number;
}

/** The whole level is looked at from here: from the south and above, as maps lie. */
const FROM = new THREE.Vector3(0.1, 0.8, 0.6).normalize();

const FLY_KEYS: Record<string, [number, number, number]> = {
  KeyW: [0, 0, -1], KeyS: [0, 0, 1], KeyA: [-1, 0, 0], KeyD: [1, 0, 0], KeyE: [0, 1, 0], KeyQ: [0, -1, 0],
};

export class Stage {
  readonly scene = new THREE.Scene();
  readonly renderer: THREE.WebGLRenderer;
  camera: THREE.PerspectiveCamera | THREE.OrthographicCamera;
  /** Called before each frame, with the seconds since the last one; returns whether to go on. */
  readonly beforeFrame: ((seconds: number) => boolean)[] = [];
  /** Frames drawn so far. */
  frames = 0;

  private readonly perspective = new THREE.PerspectiveCamera(50, 1, 0.05, 10_000);
  private readonly orthographic = new THREE.OrthographicCamera(-1, 1, 1, -1, -10_000, 10_000);
  private controls: OrbitControls;
  private readonly ray = new THREE.Raycaster();
  private readonly held = new Set<string>();
  private isWanted = false;
  private last = 0;
  private mode: CameraMode = "orbit";
  private extent = 10;

  constructor(private readonly canvas: HTMLCanvasElement, private readonly store: Store) {
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, powerPreference: "high-performance" });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    const sun = new THREE.DirectionalLight(0xffffff, 1.6);
    sun.position.set(0.6, 1, 0.4);
    this.scene.add(new THREE.HemisphereLight(0xffffff, 0x8a7f70, 1.7), sun);
    this.camera = this.perspective;
    this.controls = this.makeControls();
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement ?? canvas);
    addEventListener("keydown", (event) => this.key(event, true));
    addEventListener("keyup", (event) => this.key(event, false));
    addEventListener("blur", () => this.held.clear());
    this.resize();
  }

  /** Has the next frame drawn. */
  invalidate(): void {
    if (this.isWanted) return;
    this.isWanted = true;
    requestAnimationFrame((time) => this.frame(time));
  }

  /** Looks at the whole level, or from where the state says. */
  frameLevel(level: LevelDescription, force = false): void {
    const { eye, target } = this.store.state;
    const min = new THREE.Vector3(...level.min);
    const max = new THREE.Vector3(...level.max);
    const center = min.clone().add(max).multiplyScalar(0.5);
    this.extent = Math.max(max.distanceTo(min), 2);
    const isKnown = eye && target && !force;
    this.controls.target.copy(isKnown ? new THREE.Vector3(...target) : center);
    const eyeOf = () => center.clone().addScaledVector(FROM, this.distanceToSee(min, max));
    this.perspective.position.copy(isKnown ? new THREE.Vector3(...eye) : eyeOf());
    this.perspective.near = Math.max(this.extent / 5000, 0.02);
    this.perspective.far = this.extent * 20;
    this.perspective.updateProjectionMatrix();
    this.setMode(this.store.state.mode);
  }

  /** How far from the middle of a box all of it is seen. */
  private distanceToSee(min: THREE.Vector3, max: THREE.Vector3): number {
    const tangent = Math.tan(THREE.MathUtils.degToRad(this.perspective.fov / 2));
    const right = new THREE.Vector3(0, 1, 0).cross(FROM).normalize();
    const up = FROM.clone().cross(right);
    const half = max.clone().sub(min).multiplyScalar(0.5);
    let distance = 1;
    for (const [x, y, z] of [[1, 1, 1], [1, 1, -1], [1, -1, 1], [1, -1, -1]]) {
      for (const side of [1, -1]) {
        const corner = half.clone().multiply(new THREE.Vector3(x, y, z)).multiplyScalar(side);
        const across = Math.abs(corner.dot(right)) / (tangent * this.perspective.aspect);
        const along = Math.abs(corner.dot(up)) / tangent;
        distance = Math.max(distance, corner.dot(FROM) + Math.max(across, along));
      }
    }
    return distance * 1.03;
  }

  setMode(mode: CameraMode): void {
    const target = this.controls.target.clone();
    this.mode = mode;
    this.controls.dispose();
    this.camera = mode === "top" ? this.orthographic : this.perspective;
    if (mode === "top") {
      this.orthographic.position.copy(target).setY(target.y + this.extent);
      this.orthographic.up.set(0, 0, -1);
      this.orthographic.zoom = 1;
    }
    this.controls = this.makeControls();
    this.controls.target.copy(target);
    this.resize();
    this.controls.update();
    this.invalidate();
  }

  lookAt(point: Vec3): void {
    const step = new THREE.Vector3(...point).sub(this.controls.target);
    this.controls.target.add(step);
    this.camera.position.add(step);
    const away = this.camera.position.clone().sub(this.controls.target);
    if (this.mode !== "top" && away.length() > 25) {
      this.camera.position.copy(this.controls.target).add(away.setLength(25));
    }
    this.controls.update();
    this.moved();
  }

  setBackground(color: number): void {
    this.scene.background = new THREE.Color(color);
    this.invalidate();
  }

  /** A ray from the eye through a place of the window. */
  pointerRay(x: number, y: number): THREE.Raycaster {
    const box = this.canvas.getBoundingClientRect();
    const place = new THREE.Vector2(((x - box.left) / box.width) * 2 - 1, 1 - ((y - box.top) / box.height) * 2);
    this.ray.setFromCamera(place, this.camera);
    return this.ray;
  }

  /** Where a point of the level is in the window [px]. */
  project(point: Vec3): { x: number; y: number } {
    const box = this.canvas.getBoundingClientRect();
    const { x, y } = new THREE.Vector3(...point).project(this.camera);
    return { x: box.left + ((x + 1) / 2) * box.width, y: box.top + ((1 - y) / 2) * box.height };
  }

  /** Whether dragging moves the camera. */
  set isCameraFree(isFree: boolean) {
    this.controls.enabled = isFree;
  }

  get target(): THREE.Vector3 {
    return this.controls.target;
  }

  private makeControls(): OrbitControls {
    const controls = new OrbitControls(this.camera, this.canvas);
    controls.screenSpacePanning = this.mode === "top";
    controls.enableRotate = this.mode !== "top";
    controls.zoomToCursor = true;
    controls.maxPolarAngle = this.mode === "fly" ? Math.PI : Math.PI * 0.495;
    if (this.mode === "top") {
      controls.mouseButtons.LEFT = THREE.MOUSE.PAN;
      controls.touches.ONE = THREE.TOUCH.PAN;
    }
    controls.addEventListener("change", () => this.moved());
    return controls;
  }

  private moved(): void {
    const { position } = this.camera;
    const { target } = this.controls;
    if (this.mode !== "top") this.store.set({ eye: position.toArray() as Vec3, target: target.toArray() as Vec3 });
    else this.store.set({ target: target.toArray() as Vec3 });
    this.invalidate();
  }

  private key(event: KeyboardEvent, isDown: boolean): void {
    const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
    if (this.mode !== "fly" || isTyping || event.ctrlKey || event.metaKey || !(event.code in FLY_KEYS)) return;
    if (isDown) this.held.add(event.code);
    else this.held.delete(event.code);
    event.preventDefault();
    this.invalidate();
  }

  private fly(seconds: number): boolean {
    if (this.held.size === 0) return false;
    const step = new THREE.Vector3();
    for (const code of this.held) step.add(new THREE.Vector3(...FLY_KEYS[code]));
    const ahead = step.clone().setY(0).applyQuaternion(this.camera.quaternion);
    ahead.y += step.y;
    ahead.multiplyScalar(Math.min(seconds, 0.1) * Math.max(this.extent / 15, 4));
    this.camera.position.add(ahead);
    this.controls.target.add(ahead);
    this.moved();
    return true;
  }

  private frame(time: number): void {
    this.isWanted = false;
    const seconds = Math.min((time - this.last) / 1000, 1);
    this.last = time;
    const goesOn = [this.fly(seconds), ...this.beforeFrame.map((call) => call(seconds))];
    this.renderer.render(this.scene, this.camera);
    this.frames++;
    if (goesOn.includes(true)) this.invalidate();
  }

  private resize(): void {
    const box = this.canvas.parentElement ?? this.canvas;
    const [width, height] = [Math.max(box.clientWidth, 1), Math.max(box.clientHeight, 1)];
    this.renderer.setSize(width, height, false);
    this.perspective.aspect = width / height;
    this.perspective.updateProjectionMatrix();
    const half = (this.extent * 0.42) / Math.min(1, width / height);
    Object.assign(this.orthographic, {
      left: (-half * width) / height, right: (half * width) / height, top: half, bottom: -half,
      near: -this.extent * 2, far: this.extent * 4,
    });
    this.orthographic.updateProjectionMatrix();
    this.invalidate();
  }
}
