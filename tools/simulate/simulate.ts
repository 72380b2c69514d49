import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accept, Snapshot } from '../../packages/contract/src/index.ts';
import { createRandom } from '../prove/random.ts';
import { createPlan, type Step } from './actions.ts';
import { controlGlobals } from './globals.ts';
import { type Outcome, runHistory } from './history.ts';
import type { Problem } from './judge.ts';
import { openStore } from './product.ts';
import { shrink } from './shrink.ts';
import { createWorld, type World } from './world.ts';

/** The number of different worlds: each is imported once, and copied for its histories. */
const WORLDS = 64;

/** A history that contradicts the law. */
export interface Failure {
  readonly seed: number;
  readonly problems: readonly Problem[];
  /** The actions that are left when all that do not matter are removed. */
  readonly steps: readonly Step[];
}

/** What the histories of some seeds had in common. */
export interface Report {
  histories: number;
  decisions: number;
  kills: number;
  /** Milliseconds of simulated time. */
  passed: number;
  readonly chances: Map<string, number>;
  readonly failures: Failure[];
}

/** Runs the histories of seeds, one after another. */
export class Simulation {
  readonly report: Report = { histories: 0, decisions: 0, kills: 0, passed: 0, chances: new Map(), failures: [] };
  readonly #seedGlobals = controlGlobals();
  // A file system in memory, because no history survives its run.
  readonly #folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'broadsheet-simulate-'));
  readonly #worlds = new Map<number, { readonly world: World; readonly template: string }>();

  /** Runs the history of a seed twice, which must not make a difference. */
  async run(seed: number, isTwice = true): Promise<Failure | undefined> {
    const random = createRandom(seed);
    const { world } = await this.#worldOf(seed);
    const steps = createPlan(world, random.fork('plan'));
    const outcome = await this.#history(seed, steps);
    this.#add(outcome);
    let { problems } = outcome;
    const again = isTwice ? await this.#history(seed, steps) : outcome;
    if (again.digest !== outcome.digest) {
      problems = [...problems, { rule: 'a seed repeats its history', text: `${outcome.digest}, ${again.digest}` }];
    }
    const [first] = problems;
    if (!first) return undefined;
    const failure = { seed, problems, steps: await shrink(steps, (some) => this.#fails(seed, some, first.rule)) };
    this.report.failures.push(failure);
    return failure;
  }

  /** Runs a list of actions in the world of a seed. */
  async replay(seed: number, steps: readonly Step[]): Promise<readonly Problem[]> {
    return (await this.#history(seed, steps)).problems;
  }

  async #fails(seed: number, steps: readonly Step[], rule: string): Promise<boolean> {
    return (await this.replay(seed, steps)).some((problem) => problem.rule === rule);
  }

  async #history(seed: number, steps: readonly Step[]): Promise<Outcome> {
    const { world, template } = await this.#worldOf(seed);
    this.#seedGlobals(seed);
    return runHistory({ world, template, steps, file: join(this.#folder, `${seed}.db`), random: createRandom(seed) });
  }

  async #worldOf(seed: number) {
    const number = createRandom(seed).fork('world').below(WORLDS);
    const known = this.#worlds.get(number);
    if (known) return known;
    const world = createWorld(createRandom(number).fork('world'));
    const template = join(this.#folder, `world-${number}.db`);
    const store = await openStore(`sqlite:${template}`);
    const read = accept(Snapshot, { blogs: world.blogs.map(({ snapshot }) => snapshot) });
    if (!read.ok) throw new Error(JSON.stringify(read.fields));
    await store.importBlogs(read.value.blogs, world.start);
    await store.close();
    const created = { world, template };
    this.#worlds.set(number, created);
    return created;
  }

  #add({ chances, decisions, kills, passed }: Outcome): void {
    const { report } = this;
    report.histories += 1;
    report.decisions += decisions;
    report.kills += kills;
    report.passed += passed;
    for (const [rule, count] of chances) report.chances.set(rule, (report.chances.get(rule) ?? 0) + count);
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
