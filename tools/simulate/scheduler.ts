import { createHash } from 'node:crypto';
import type { Random } from '../prove/random.ts';

/** Something that can end for ever: a process. What it had scheduled never happens. */
export interface Life {
  isAlive: boolean;
}

interface Task {
  readonly owner: Life;
  readonly name: string;
  readonly work: () => void;
}
interface Timer extends Task {
  readonly at: number;
  readonly order: number;
}

/** One turn of the real event loop: afterwards, every promise that could go on has done so. */
const quiet = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Decides which of the things that are ready happens next, and moves the time when nothing is ready. Decisions are made
 * only when nothing else can run, so that the seed alone determines them.
 */
export class Scheduler {
  /** Milliseconds since the epoch. */
  now: number;
  readonly #random: Random;
  readonly #hash = createHash('sha256');
  #ready: Task[] = [];
  #timers: Timer[] = [];
  #order = 0;
  /** The number of decisions so far. */
  decisions = 0;

  constructor(random: Random, now: number) {
    this.#random = random;
    this.now = now;
  }

  /** Adds something that may happen next. */
  add(owner: Life, name: string, work: () => void): void {
    this.#ready.push({ owner, name, work });
  }

  /** Calls back at a time, or later. */
  later(owner: Life, milliseconds: number, work: () => void): () => void {
    const at = this.now + Math.max(0, milliseconds);
    this.#order += 1;
    const timer: Timer = { owner, name: 'timer', work, at, order: this.#order };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** Adds a fact to the hash of this run. */
  note(text: string): void {
    this.#hash.update(`${text}\n`);
  }

  digest(): string {
    return this.#hash.digest('hex').slice(0, 16);
  }

  /** Makes decisions until a condition holds, or nothing is left to decide. */
  async run(until: () => boolean): Promise<void> {
    for (await quiet(); !until(); await quiet()) {
      const task = this.#next();
      if (!task) return;
      this.decisions += 1;
      this.note(`${this.now} ${task.name}`);
      task.work();
    }
  }

  #next(): Task | undefined {
    this.#ready = this.#ready.filter(({ owner }) => owner.isAlive);
    if (this.#ready.length > 0) return this.#ready.splice(this.#random.below(this.#ready.length), 1)[0];
    this.#timers = this.#timers.filter(({ owner }) => owner.isAlive);
    const [first, ...others] = this.#timers;
    if (!first) return undefined;
    const timer = others.reduce((a, b) => (b.at < a.at || (b.at === a.at && b.order < a.order) ? b : a), first);
    this.#timers = this.#timers.filter((other) => other !== timer);
    this.now = Math.max(this.now, timer.at);
    return timer;
  }
}
