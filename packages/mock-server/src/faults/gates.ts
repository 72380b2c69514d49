import type { EndpointId } from '@broadsheet/contract';
import { wait } from '../time/clock.ts';
import type { FaultTarget } from './fault.ts';

/** Holds responses until the test releases them. */
export interface Gate {
  /** The number of responses it holds. */
  readonly held: number;
  /**
   * Resolves once it holds at least `count` responses (1 by default); prints a warning after one second without them.
   * A list of the SDK is requested only when it is awaited, or `then` is called.
   */
  arrived(count?: number): Promise<void>;
  /** Releases what it holds and stops holding. */
  release(): void;
}

/** The gates of one world. */
export class Gates {
  readonly closed = new Set<ClosedGate>();

  /** Without a limit it holds until it is released. */
  hold(target: FaultTarget, times = Number.POSITIVE_INFINITY): Gate {
    const gate = new ClosedGate(target, times, this.closed);
    this.closed.add(gate);
    return gate;
  }

  /** The gates that hold responses, or were never reached, as text. */
  unfinished(): string[] {
    return [...this.closed].flatMap(({ target, held, met }) => {
      if (held === 0 && met) return [];
      return met ? `responses held by hold('${target}'): ${held}` : `hold('${target}') matched no request`;
    });
  }

  /** Resolves when no gate holds the request any longer; `undefined` if none does. */
  pass(endpoint: EndpointId, signals: readonly AbortSignal[]): Promise<unknown> | undefined {
    for (const signal of signals) signal.throwIfAborted();
    const turns = new Set<FaultTarget>();
    const holding = [...this.closed].filter(({ target, left }) => {
      if (left === 0 || (target !== '*' && target !== endpoint)) return false;
      // Gates with a limit take turns and hold one request each; every other gate holds all requests.
      const first = left === Number.POSITIVE_INFINITY || !turns.has(target);
      turns.add(target);
      return first;
    });
    return holding.length > 0 ? Promise.all(holding.map((gate) => gate.stop(signals))) : undefined;
  }
}

/** A gate that is closed. */
export class ClosedGate implements Gate {
  readonly target: FaultTarget;
  /** The number of further responses it will hold. */
  left: number;
  met = false;
  readonly #closed: Set<ClosedGate>;
  readonly #held = new Set<() => void>();
  readonly #watchers = new Set<() => void>();

  constructor(target: FaultTarget, times: number, closed: Set<ClosedGate>) {
    this.target = target;
    this.left = times;
    this.#closed = closed;
  }

  get held(): number {
    return this.#held.size;
  }

  arrived(count = 1): Promise<void> {
    return new Promise((resolve) => {
      const late = `hold('${this.target}'): nothing arrived for a second; lists are sent when awaited`;
      const timer = setTimeout(() => console.warn(late), 1000);
      const look = () => {
        if (this.held < count) return;
        clearTimeout(timer);
        this.#watchers.delete(look);
        resolve();
      };
      this.#watchers.add(look);
      look();
    });
  }

  release(): void {
    this.#closed.delete(this);
    for (const go of this.#held) go();
  }

  /** Holds one request. */
  stop(signals: readonly AbortSignal[]): Promise<void> {
    this.left -= 1;
    this.met = true;
    return wait(signals, (go) => {
      this.#held.add(go);
      for (const look of this.#watchers) look();
      return () => this.#held.delete(go);
    });
  }
}
