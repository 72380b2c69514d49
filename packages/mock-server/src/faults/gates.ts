import type { EndpointId } from '@broadsheet/contract';
import { wait } from '../time/wait.ts';
import type { Target } from './fault.ts';

/**
 * Holds answers back until the test lets them go.
 *
 * @example
 * ```ts
 * const gate: Gate = world.hold('search');
 * await gate.arrived(2);
 * gate.release();
 * ```
 */
export interface Gate {
  /** How many answers it holds. */
  readonly held: number;
  /** Resolves once it holds at least so many (1 by default). */
  arrived(count?: number): Promise<void>;
  /** Lets go of what it holds and holds no more. */
  release(): void;
}

/** The gates of one world. */
export interface Gates {
  /** Without a limit it holds until it is released. */
  hold(target: Target, times?: number): Gate;
  /** The gates that hold answers, or were never reached, as they were set. */
  unfinished(): string[];
  /** Resolves when no gate holds the request any longer. */
  pass(endpoint: EndpointId, signal: AbortSignal): Promise<void>;
  releaseAll(): void;
  readonly closed: ReadonlySet<ClosedGate>;
}

/** A gate that is closed. */
export interface ClosedGate extends Gate {
  readonly target: Target;
}

/** Creates the gates of a world, all open. */
export function createGates(): Gates {
  const closed = new Set<HoldingGate>();
  return {
    closed,
    hold(target, times = Number.POSITIVE_INFINITY) {
      const gate = new HoldingGate(target, times, closed);
      closed.add(gate);
      return gate;
    },
    unfinished: () => [...closed].flatMap((gate) => gate.unfinished() ?? []),
    async pass(endpoint, signal) {
      signal.throwIfAborted();
      const turns = new Set<Target>();
      const holding = [...closed].filter(({ target, left }) => {
        if (left === 0 || (target !== '*' && target !== endpoint)) return false;
        // Gates with a limit take turns, one request each; every other gate holds all requests.
        const first = left === Number.POSITIVE_INFINITY || !turns.has(target);
        turns.add(target);
        return first;
      });
      await Promise.all(holding.map((gate) => gate.stop(signal)));
    },
    releaseAll() {
      for (const gate of closed) gate.release();
    },
  };
}

class HoldingGate implements ClosedGate {
  readonly target: Target;
  /** How many more answers it will hold. */
  left: number;
  #arrivals = 0;
  readonly #closed: Set<HoldingGate>;
  readonly #held = new Set<() => void>();
  readonly #watchers = new Set<() => void>();

  constructor(target: Target, left: number, closed: Set<HoldingGate>) {
    this.target = target;
    this.left = left;
    this.#closed = closed;
  }

  get held(): number {
    return this.#held.size;
  }

  arrived(count = 1): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (this.held < count) return;
        this.#watchers.delete(look);
        resolve();
      };
      this.#watchers.add(look);
      look();
    });
  }

  release(): void {
    this.#closed.delete(this);
    this.left = 0;
    for (const go of this.#held) go();
  }

  /** Holds one request. */
  stop(signal: AbortSignal): Promise<void> {
    this.left -= 1;
    this.#arrivals += 1;
    return wait(signal, (go) => {
      this.#held.add(go);
      for (const look of this.#watchers) look();
      return () => this.#held.delete(go);
    });
  }

  /** What is to be said of it at the end of a test. */
  unfinished(): string | undefined {
    const name = `hold('${this.target}')`;
    if (this.held > 0) return `${name} holds ${this.held} answer(s)`;
    return this.#arrivals === 0 ? `${name} met no request` : undefined;
  }
}
