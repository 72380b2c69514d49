import { setTimeout as sleep } from 'node:timers/promises';
import { BLOGS } from './content.ts';
import type { Deployment } from './deployment.ts';
import { CALM, STORM } from './fault-proxy.ts';
import type { Gate } from './gate.ts';
import type { History } from './history.ts';
import type { Random } from './random.ts';
import type { Mood, Receiver } from './receivers.ts';

export interface NemesisOptions {
  readonly deployment: Deployment;
  readonly history: History;
  readonly random: Random;
  readonly receivers: readonly Receiver[];
  /** Closed while the clock moves by more than the lifetime of an idempotency key. */
  readonly gate: Gate;
  /** Aborted when the run ends. */
  readonly signal: AbortSignal;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** What the faults need. */
type Shared = Pick<NemesisOptions, 'deployment' | 'receivers' | 'history' | 'gate'>;

/** The names of the faults that a run injects. */
export const faultsOf = (options: Shared): string[] => Object.keys(allFaults(options));

const allFaults = (options: Shared) => ({
  ...{ ...options.deployment.faults, ...networkFaults(options), ...clockFaults(options) },
});

/** Injects one fault after another: each of them once, in random order, and then any until the run ends. */
export async function runNemesis(options: NemesisOptions): Promise<void> {
  const { history, random, signal } = options;
  const faults = Object.entries(allFaults(options));
  const first = shuffled(faults, random);
  while (first.length > 0 || !signal.aborted) {
    await sleep(500 + random.below(3000));
    const [what, inflict] = first.pop() ?? random.pick(faults);
    const end = history.begin();
    await inflict(random);
    end({ kind: 'fault', what });
  }
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  const left = [...items];
  return items.map(() => left.splice(random.below(left.length), 1)[0] as T);
}

function networkFaults({ deployment: { proxies }, receivers }: Shared) {
  return {
    async 'cut every connection'(random: Random) {
      random.pick(proxies).cutAll();
    },
    async 'cut and delay connections'(random: Random) {
      for (const proxy of proxies) Object.assign(proxy.weather, STORM);
      await sleep(3000 + random.below(10_000));
      for (const proxy of proxies) Object.assign(proxy.weather, CALM);
    },
    async 'a bad receiver'(random: Random) {
      const receiver = random.pick(receivers);
      receiver.mood = random.pick<Mood>(['failing', 'slow', 'closing', 'well']);
    },
  };
}

function clockFaults({ deployment, history, gate }: Shared) {
  if (!deployment.hasClock) return {};
  const advance = (by: number) => history.advance(by, deployment.setClock);
  return {
    // Shorter than the lifetime of a key, including the time for which a client repeats it.
    'advance the clock': (random: Random) => advance(10_000 + random.below(MINUTE)),
    async 'pass midnight'(random: Random) {
      await gate.close();
      try {
        await advance(untilMidnight(random.pick(BLOGS).timeZone, history.now()) - 1000 - random.below(2000));
      } finally {
        gate.open();
      }
    },
  };
}

/** Milliseconds until the next midnight of a time zone, at its current offset. */
function untilMidnight(timeZone: string, now: number): number {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hour12: false,
  });
  const part = Object.fromEntries(format.formatToParts(now).map(({ type, value }) => [type, Number(value)]));
  const { hour = 0, minute = 0, second = 0 } = part;
  return DAY - (((hour % 24) * 60 + minute) * 60 + second) * 1000 - (now % 1000);
}
