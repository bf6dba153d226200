// What the panels share: the level, the solver, the stage with what is drawn on it, and the state.

import type { AgentDescription, Answer, LevelDescription, Request, StandingReport, Vec3 } from "./messages";
import type { Solver } from "./solver";
import type { Source } from "./source";
import type { Store } from "./state";
import type { Bodies } from "./view/bodies";
import type { Ground } from "./view/ground";
import type { Marks } from "./view/marks";
import type { Obstacles } from "./view/obstacles";
import type { Solids } from "./view/solids";
import type { Stage } from "./view/stage";

export interface App {
  source: Source;
  solver: Solver;
  store: Store;
  stage: Stage;
  ground: Ground;
  solids: Solids;
  marks: Marks;
  obstacles: Obstacles;
  bodies: Bodies;
  level: LevelDescription;
}

/** The number of the agent that is shown. */
export function agentIndex(app: App): number {
  const index = app.level.agents.findIndex(({ name }) => name === app.store.state.agent);
  return Math.max(index, 0);
}

export function agentOf(app: App): AgentDescription {
  const none = { name: "", radius: 0.3, height: 1.8, max_climb: 0, slope_limit: 0, at: null };
  return app.level.agents[agentIndex(app)] ?? none;
}

export function ask<T>(app: App, request: Request): Promise<Answer<T>> {
  return app.solver.ask<T>(request);
}

/** What `surefoot why --at` says of a place. */
export async function why(app: App, at: Vec3): Promise<{ report: StandingReport; blocked_now: boolean }> {
  const agent = agentIndex(app);
  return (await ask<{ report: StandingReport; blocked_now: boolean }>(app, { ask: "why", agent, at })).value;
}

/** The words of an option of the command line that names the agent. */
export function agentOption(app: App): string {
  return app.level.agents.length > 1 ? ` --agent ${quoted(agentOf(app).name)}` : "";
}

/** A word of a shell's command line. */
export function quoted(word: string): string {
  return /^[\w./:=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
