import type { LawSlot } from '../law/world.ts';
import type { Random } from '../prove/random.ts';
import type { World } from './world.ts';

/** Who sends a request. */
export type Sender = 'reader' | 'bot' | 'prefetch' | 'server' | 'foreign' | 'homeless';

/** Whether a message is lost on its way, or arrives twice. */
export type Loss = 'request' | 'response' | 'none' | 'twice';

/**
 * Something that happens in a simulated history. It refers to deliveries by the number that they have in the history, so
 * that a history without some of its actions means the same.
 */
export type Action =
  | {
      readonly do: 'deliver';
      readonly number: number;
      readonly blog: number;
      readonly process: number;
      readonly slots: readonly LawSlot[];
      readonly key: boolean;
      readonly sender: Sender;
      readonly loss: Loss;
      /** How often it is sent, for a burst. */
      readonly times: number;
    }
  | {
      readonly do: 'repeat';
      readonly of: number;
      readonly process: number;
      readonly changed: boolean;
      readonly loss: Loss;
    }
  | {
      readonly do: 'click';
      readonly of: number;
      readonly slot: number;
      readonly processes: readonly number[];
      readonly visitor: number;
      readonly isForeign: boolean;
      readonly loss: Loss;
    }
  | { readonly do: 'view'; readonly of: readonly number[]; readonly process: number; readonly loss: Loss }
  | { readonly do: 'activate'; readonly blog: number; readonly ad: number; readonly process: number }
  | { readonly do: 'pause'; readonly blog: number; readonly campaign: number; readonly process: number }
  | {
      readonly do: 'limit';
      readonly blog: number;
      readonly campaign: number;
      readonly process: number;
      readonly goal: number;
      readonly perDay: number;
    }
  /** Kills a process after some statements, and starts it again. */
  | { readonly do: 'kill'; readonly process: number; readonly after: number }
  /** The disk is full for some statements. */
  | { readonly do: 'fill'; readonly process: number; readonly statements: number }
  /** Lets everything end, and then moves the time. */
  | { readonly do: 'wait'; readonly milliseconds: number }
  | { readonly do: 'midnight'; readonly blog: number; readonly before: number }
  /** Waits until the key or the tokens of a delivery expire, or a bit less or more. */
  | { readonly do: 'expire'; readonly of: number; readonly what: 'key' | 'token' | 'repeat'; readonly by: number }
  /** Waits until an ad begins or ends to run. */
  | { readonly do: 'turn'; readonly blog: number; readonly ad: number; readonly by: number };

/** Whether everything ends before the next action. */
export interface Step {
  readonly action: Action;
  readonly settles: boolean;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const PROCESSES = 3;

/** The actions of a history. */
export function createPlan(world: World, random: Random): Step[] {
  let deliveries = 0;
  const recent = () => Math.max(0, deliveries - 1 - random.below(6));
  const process = () => random.below(PROCESSES);
  const blog = () => random.below(world.blogs.length);
  const loss = (): Loss => (random.chance(0.1) ? random.pick(['request', 'response', 'twice']) : 'none');
  // Slots with a name of their own show in the figures whether a delivery that nobody answered was counted.
  const slotsOf = (number: number, isTraceable: boolean): LawSlot[] =>
    Array.from({ length: 1 + random.below(4) }, (_, index) => {
      const place = random.pick(['top', 'side', 'end']);
      const slotId = isTraceable ? `${place}-${number}.${index}` : place;
      return { format: random.chance(0.8) ? 'BANNER' : 'SIDEBAR', slotId };
    });

  const actions: Readonly<Record<string, () => Action>> = {
    deliver() {
      const number = deliveries;
      deliveries += 1;
      const times = random.chance(0.004) ? 62 : 1;
      const isSingle = times === 1 && random.chance(0.1);
      const slots = isSingle ? [{ format: 'BANNER' }] : slotsOf(number, times === 1 && random.chance(0.6));
      const sender = random.chance(0.7) ? 'reader' : random.pick<Sender>(SENDERS);
      return {
        ...{ do: 'deliver', number, blog: blog(), process: process(), slots, sender, times },
        ...{ key: times === 1 && random.chance(0.6), loss: times > 1 || isSingle ? 'none' : loss() },
      };
    },
    repeat: () => ({
      ...{ do: 'repeat', of: recent(), process: process() },
      ...{ changed: random.chance(0.1), loss: random.chance(0.1) ? 'response' : 'none' },
    }),
    click: () => ({
      ...{ do: 'click', of: recent(), slot: random.below(4), visitor: random.below(6), isForeign: random.chance(0.05) },
      ...{ processes: random.chance(0.4) ? [process(), process()] : [process()], loss: loss() },
    }),
    view: () => ({ do: 'view', of: [recent(), recent()], process: process(), loss: loss() }),
    activate: () => ({ do: 'activate', blog: blog(), ad: random.below(10), process: process() }),
    pause: () => ({ do: 'pause', blog: blog(), campaign: random.below(5), process: process() }),
    limit: () => ({
      ...{ do: 'limit', blog: blog(), campaign: random.below(5), process: process() },
      ...{ goal: 1 + random.below(60), perDay: 1 + random.below(12) },
    }),
    kill: () => ({ do: 'kill', process: process(), after: random.below(30) }),
    fill: () => ({ do: 'fill', process: process(), statements: 1 + random.below(12) }),
    wait: () => ({
      do: 'wait',
      milliseconds: random.pick([1, 700, 1100, 20_000, 3 * MINUTE, 40 * MINUTE, DAY, 8 * DAY]),
    }),
    midnight: () => ({ do: 'midnight', blog: blog(), before: random.pick([0, 1, 1500]) }),
    turn: () => ({ do: 'turn', blog: blog(), ad: random.below(10), by: random.pick([-1, 0, 1]) }),
    expire: () => ({
      ...{ do: 'expire', of: recent(), what: random.pick(['key', 'token', 'repeat']), by: random.pick([-1, 0, 1]) },
    }),
  };
  const names = Object.entries(WEIGHTS).flatMap(([name, weight]) => Array<string>(weight).fill(name));
  const any = (): Action => (actions[random.pick(names)] ?? actions['deliver'])?.() as Action;
  const steps: Step[] = [];
  const length = 25 + random.below(40);
  while (steps.length < length) {
    if (random.chance(0.15))
      steps.push(...createScene(actions, deliveries, random).map((action) => ({ action, settles: true })));
    else steps.push({ action: any(), settles: random.chance(0.5) });
    deliveries = steps.filter(({ action }) => action.do === 'deliver').length;
  }
  return steps;
}

/** Actions that have to follow one another closely, which chance alone would rarely bring about. */
function createScene(actions: Readonly<Record<string, () => Action>>, of: number, random: Random): Action[] {
  const make = <Name extends Action['do']>(name: Name, more: Partial<Extract<Action, { do: Name }>> = {}): Action => ({
    ...(actions[name]?.() as Extract<Action, { do: Name }>),
    ...more,
  });
  const deliver = (more: Partial<Extract<Action, { do: 'deliver' }>> = {}) =>
    make('deliver', { blog: 0, key: true, times: 1, loss: 'none', sender: 'reader', ...more });
  const visitor = random.below(6);
  const clicks = (number: number) =>
    [0, 1, 2].map((slot) => make('click', { of: number, slot, visitor, isForeign: false, loss: 'none' }));
  const by = random.pick([-1, 0, 1]);
  const scenes: Readonly<Record<string, () => Action[]>> = {
    'a repeat after midnight': () => [
      ...[make('midnight', { blog: 0, before: 1500 }), deliver(), make('wait', { milliseconds: 20_000 })],
      ...[
        make('repeat', { of, changed: false, loss: 'none' }),
        make('view', { of: [of, of], loss: 'none' }),
        ...clicks(of),
      ],
    ],
    'a repeat when its key expires': () => [
      ...[deliver(), make('expire', { of, what: 'key', by })],
      make('repeat', { of, changed: false, loss: 'none' }),
    ],
    'a click when its token expires': () => [deliver(), make('expire', { of, what: 'token', by }), ...clicks(of)],
    'a click that repeats one half an hour later': () => [
      ...[deliver(), clicks(of)[0] as Action, make('expire', { of, what: 'repeat', by })],
      ...[deliver(), ...clicks(of + 1)],
    ],
    'readers after a week': () => [
      ...[deliver(), make('wait', { milliseconds: 8 * DAY }), deliver(), deliver()],
      ...[make('wait', { milliseconds: 40 * MINUTE }), deliver(), deliver()],
    ],
    'an ad that begins or ends': () => [...[deliver(), make('turn', { blog: 0, by }), deliver(), deliver()]],
  };
  return scenes[random.pick(Object.keys(scenes))]?.() ?? [];
}

const SENDERS: readonly Sender[] = ['bot', 'prefetch', 'server', 'foreign', 'homeless'];

/** How often each kind of action happens. */
const WEIGHTS = {
  ...{ deliver: 30, repeat: 12, click: 14, view: 10 },
  ...{ activate: 4, pause: 2, limit: 3, kill: 7, fill: 2, wait: 6, midnight: 3, expire: 5, turn: 2 },
};
