// What is drawn on the level: the path and its ends, links, what is in the way, a search, notes.

import * as THREE from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { LineSegments2 } from "three/examples/jsm/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/examples/jsm/lines/LineSegmentsGeometry.js";
import type { LinkDescription, Vec3 } from "../messages";
import { LINKS, SEARCH, hex, ramp } from "../palette";
import type { Stage } from "./stage";

/** Lines lie this far above the ground [m]. */
const LIFT = 0.06;
/** Pieces of an arc. */
const ARC = 12;

/** A part of the drawing that is replaced as a whole. */
class Part {
  private readonly group = new THREE.Group();

  constructor(private readonly stage: Stage, root: THREE.Group) {
    root.add(this.group);
  }

  set(...objects: THREE.Object3D[]): void {
    this.group.traverse((object) => {
      if (object instanceof THREE.Mesh || object instanceof THREE.Points) object.geometry.dispose();
    });
    this.group.clear();
    if (objects.length > 0) this.group.add(...objects);
    this.stage.invalidate();
  }

  set isVisible(isVisible: boolean) {
    this.group.visible = isVisible;
    this.stage.invalidate();
  }
}

export class Marks {
  private readonly pathPart: Part;
  private readonly endsPart: Part;
  private readonly linksPart: Part;
  private readonly blockersPart: Part;
  private readonly askedPart: Part;
  private readonly filmPart: Part;
  private readonly notesPart: Part;
  private film: THREE.Points | null = null;

  constructor(private readonly stage: Stage) {
    const root = new THREE.Group();
    stage.scene.add(root);
    stage.beforeFrame.push(() => {
      towardsEye(root, stage);
      return false;
    });
    const part = () => new Part(stage, root);
    this.pathPart = part();
    this.endsPart = part();
    this.linksPart = part();
    this.blockersPart = part();
    this.askedPart = part();
    this.filmPart = part();
    this.notesPart = part();
  }

  path(track: Float32Array | null, corners: Vec3[]): void {
    if (!track || track.length < 6) return this.pathPart.set();
    const lifted = Array.from(track, (value, index) => (index % 3 === 1 ? value + LIFT : value));
    const dots = corners.slice(1, -1).map((corner) => ball(corner, 0.09, 0x16429a));
    // Seen through walls, but faintly.
    this.pathPart.set(line(lifted, 0x16429a, 2.5, 0.25), line(lifted, 0x16429a, 4), ...dots);
  }

  ends(from: Vec3 | null, to: Vec3 | null, radius: number): void {
    const ends: [Vec3 | null, string, number][] = [[from, "A", 0x18804e], [to, "B", 0xc4222c]];
    this.endsPart.set(...ends.flatMap(([end, letter, color]) => (end ? [ring(end, color, radius), label(end, letter, color)] : [])));
  }

  asked(point: Vec3 | null, radius: number): void {
    this.askedPart.set(...(point ? [ring(point, 0x111111, radius), ring(point, 0xffffff, radius * 0.8)] : []));
  }

  blockers(points: Vec3[]): void {
    this.blockersPart.set(...points.flatMap((point) => [ball(point, 0.22, 0xda1c20), stalk(point, 0xda1c20)]));
  }

  notes(points: { at: Vec3[]; good: boolean }[]): void {
    const objects = points.flatMap(({ at, good }) => {
      const color = good ? 0x18804e : 0xda1c20;
      const lifted = at.flatMap(([x, y, z]) => [x, y + LIFT, z]);
      return [...at.map((point) => ball(point, 0.18, color)), ...(at.length > 1 ? [line(lifted, color, 2.5)] : [])];
    });
    this.notesPart.set(...objects);
  }

  /** The links that an agent can take, as arcs; closed ones are pale. */
  links(links: LinkDescription[], closed: number[], agent: number): void {
    const open = new Map<number, number[]>();
    links.forEach((link, index) => {
      if (!link.agents.includes(agent)) return;
      const color = closed.includes(index) ? 0x9a948c : hex(LINKS[link.kind] ?? LINKS.authored);
      const points = open.get(color) ?? [];
      points.push(...arc(link));
      open.set(color, points);
    });
    this.linksPart.set(...[...open].map(([color, points]) => segments(points, color, 2)));
  }

  set areLinksShown(areShown: boolean) {
    this.linksPart.isVisible = areShown;
  }

  /** The cells that a search expanded, in order. */
  setFilm(centers: Float32Array | null, cell: number): void {
    this.film = null;
    if (!centers) return this.filmPart.set();
    const count = centers.length / 3;
    const positions = centers.map((value, index) => (index % 3 === 1 ? value + LIFT : value));
    const colors = new Uint8Array(count * 3);
    for (let i = 0; i < count; i++) colors.set(ramp(SEARCH, i / count), i * 3);
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(positions, 3));
    geometry.setAttribute("color", new THREE.BufferAttribute(colors, 3, true));
    const material = new THREE.PointsMaterial({ size: cell * 0.9, vertexColors: true });
    this.film = new THREE.Points(geometry, material);
    this.filmPart.set(this.film);
  }

  /** Shows the film up to a share [0..1]. */
  playFilm(share: number): void {
    const count = this.film?.geometry.getAttribute("position").count ?? 0;
    this.film?.geometry.setDrawRange(0, Math.ceil(count * share));
    this.stage.invalidate();
  }
}

/** Moves what is drawn a little towards the eye, where it looks the same but lies before the ground. */
function towardsEye(root: THREE.Group, { camera }: Stage): void {
  const share = camera instanceof THREE.OrthographicCamera ? 0 : 0.012;
  root.scale.setScalar(1 - share);
  root.position.copy(camera.position).multiplyScalar(share);
  if (share === 0) root.position.set(0, 1, 0);
}

function line(points: number[], color: number, width: number, through = 1): Line2 {
  const geometry = new LineGeometry();
  geometry.setPositions(points);
  return new Line2(geometry, lineMaterial(color, width, through));
}

function segments(points: number[], color: number, width: number): LineSegments2 {
  const geometry = new LineSegmentsGeometry();
  geometry.setPositions(points);
  return new LineSegments2(geometry, lineMaterial(color, width, 1));
}

function lineMaterial(color: number, width: number, opacity: number): LineMaterial {
  const isThrough = opacity < 1;
  return new LineMaterial({ color, linewidth: width, opacity, transparent: isThrough, depthTest: !isThrough });
}

function ball([x, y, z]: Vec3, radius: number, color: number): THREE.Mesh {
  const mesh = new THREE.Mesh(new THREE.SphereGeometry(radius, 16, 12), new THREE.MeshLambertMaterial({ color }));
  mesh.position.set(x, y + LIFT, z);
  return mesh;
}

/** A letter in a disc, of the same size from near and far. */
function label([x, y, z]: Vec3, letter: string, color: number): THREE.Sprite {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 64;
  const pen = canvas.getContext("2d");
  if (pen) {
    pen.fillStyle = `#${color.toString(16).padStart(6, "0")}`;
    pen.strokeStyle = "#fff";
    pen.lineWidth = 4;
    pen.beginPath();
    pen.arc(32, 32, 28, 0, 2 * Math.PI);
    pen.fill();
    pen.stroke();
    pen.fillStyle = "#fff";
    pen.font = "bold 38px system-ui, sans-serif";
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.fillText(letter, 32, 35);
  }
  const map = new THREE.CanvasTexture(canvas);
  map.colorSpace = THREE.SRGBColorSpace;
  const sprite = new THREE.Sprite(new THREE.SpriteMaterial({ map, sizeAttenuation: false, depthTest: false }));
  sprite.scale.setScalar(0.032);
  sprite.position.set(x, y + LIFT, z);
  sprite.renderOrder = 3;
  return sprite;
}

function stalk([x, y, z]: Vec3, color: number, height = 1.2): THREE.Mesh {
  const shape = new THREE.CylinderGeometry(0.03, 0.03, height, 6);
  const mesh = new THREE.Mesh(shape, new THREE.MeshLambertMaterial({ color }));
  mesh.position.set(x, y + height / 2, z);
  return mesh;
}

function ring([x, y, z]: Vec3, color: number, radius: number): THREE.Mesh {
  const shape = new THREE.RingGeometry(radius * 0.85, radius, 32);
  const mesh = new THREE.Mesh(shape, new THREE.MeshBasicMaterial({ color, side: THREE.DoubleSide }));
  mesh.rotation.x = -Math.PI / 2;
  mesh.position.set(x, y + LIFT, z);
  return mesh;
}

/** An arc between the middles of a link's ends, and its ends if they are wide, as pairs of points. */
function arc(link: LinkDescription): number[] {
  const [from, to] = [link.from, link.to].map(([a, b]) => new THREE.Vector3(...a).lerp(new THREE.Vector3(...b), 0.5));
  const length = from.distanceTo(to);
  const rise = link.kind === "door" ? 0.1 : Math.max(link.apex, 0.15 * length, 0.2);
  const top = from.clone().lerp(to, 0.5).setY(Math.max(from.y, to.y) + 2 * rise - Math.abs(from.y - to.y) / 2);
  const curve = new THREE.QuadraticBezierCurve3(from, top, to).getPoints(ARC);
  const points: number[] = [];
  for (let i = 0; i < ARC; i++) points.push(...lifted(curve[i]), ...lifted(curve[i + 1]));
  for (const [a, b] of [link.from, link.to]) {
    if (String(a) !== String(b)) points.push(...lifted(new THREE.Vector3(...a)), ...lifted(new THREE.Vector3(...b)));
  }
  return points;
}

const lifted = ({ x, y, z }: THREE.Vector3) => [x, y + LIFT, z];
