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
  hold(target: Target, times: number | undefined): Gate;
  /** The gates that are closed, as they were set. */
  left(): string[];
  /** Resolves when no gate holds the request any longer. */
  pass(endpoint: EndpointId, signal: AbortSignal): Promise<void>;
  releaseAll(): void;
  readonly closed: ReadonlySet<Closed>;
  open(gate: Closed): void;
}

/** A gate that is closed. */
export interface Closed {
  readonly target: Target;
  /** How many answers it will hold yet. */
  left: number;
  readonly held: Set<() => void>;
  readonly watchers: Set<() => void>;
}

/** Creates the gates of a world, all open. */
export function createGates(): Gates {
  const closed = new Set<Closed>();
  const open = (gate: Closed) => {
    closed.delete(gate);
    gate.left = 0;
    for (const go of gate.held) go();
  };
  return {
    closed,
    open,
    left: () =>
      [...closed].map(
        ({ target, held: { size } }) => `hold('${target}') ${size ? `holds ${size} answer(s)` : 'met no request'}`,
      ),
    hold(target, times = Number.POSITIVE_INFINITY) {
      const gate: Closed = { target, left: times, held: new Set(), watchers: new Set() };
      closed.add(gate);
      return {
        get held() {
          return gate.held.size;
        },
        arrived: (count = 1) =>
          new Promise((resolve) => {
            const look = () => {
              if (gate.held.size < count) return;
              gate.watchers.delete(look);
              resolve();
            };
            gate.watchers.add(look);
            look();
          }),
        release: () => open(gate),
      };
    },
    async pass(endpoint, signal) {
      signal.throwIfAborted();
      const gate = [...closed].find(({ target, left }) => left > 0 && (target === '*' || target === endpoint));
      if (!gate) return;
      gate.left -= 1;
      await wait(signal, (go) => {
        gate.held.add(go);
        for (const look of gate.watchers) look();
        return () => gate.held.delete(go);
      });
    },
    releaseAll() {
      for (const gate of closed) open(gate);
    },
  };
}
