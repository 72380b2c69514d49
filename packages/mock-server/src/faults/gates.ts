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
  /**
   * Resolves once it holds at least so many (1 by default); after one second without them it prints a warning. A list
   * of the SDK is sent only when it is awaited, or `then` is called.
   */
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
      const gate = holdingGate(target, times, () => closed.delete(gate));
      closed.add(gate);
      return gate;
    },
    unfinished: () =>
      [...closed].flatMap(({ target, held, met }) => {
        if (held === 0 && met) return [];
        return `hold('${target}') ${met ? `holds ${held} answer(s)` : 'met no request'}`;
      }),
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

interface HoldingGate extends ClosedGate {
  /** How many more answers it will hold. */
  left: number;
  /** Holds one request. */
  stop(signal: AbortSignal): Promise<void>;
  met: boolean;
}

function holdingGate(target: Target, left: number, released: () => void): HoldingGate {
  const held = new Set<() => void>();
  const watchers = new Set<() => void>();
  return {
    target,
    left,
    met: false,
    get held() {
      return held.size;
    },
    arrived: (count = 1) =>
      new Promise((resolve) => {
        const late = `hold('${target}'): nothing arrived for a second; lists are sent when awaited`;
        const timer = setTimeout(() => console.warn(late), 1000);
        const look = () => {
          if (held.size < count) return;
          clearTimeout(timer);
          watchers.delete(look);
          resolve();
        };
        watchers.add(look);
        look();
      }),
    release() {
      released();
      for (const go of held) go();
    },
    stop(signal) {
      this.left -= 1;
      this.met = true;
      return wait(signal, (go) => {
        held.add(go);
        for (const look of watchers) look();
        return () => held.delete(go);
      });
    },
  };
}
