import type { EndpointId, WebhookType } from '@broadsheet/contract';
import type { ContentChange, ContentIds } from '../data/sample-blog.ts';
import type {
  AnswerOptions,
  CodeWith,
  Disruption,
  Fault,
  FaultOptions,
  Profile,
  ProfileName,
  SequenceStep,
  StatusOf,
  Target,
} from '../faults/fault.ts';
import type { Lens } from '../lenses/lens.ts';
import type { Duration, Latency } from '../time/duration.ts';
import type { WebhookOptions, WorldState } from '../worlds/world.ts';
import type { InnerWorld as World } from '../worlds/world-api.ts';
import { faultNamed, gatesNamed, gatesOf, stateOf } from './world-state.ts';

/** The named snapshots of each world. */
const snapshots = new WeakMap<World, Map<string, WorldState>>();

function snapshotsOf(world: World): Map<string, WorldState> {
  const ofWorld = snapshots.get(world) ?? new Map();
  snapshots.set(world, ofWorld);
  return ofWorld;
}

/** Options as JSON, which has no functions. */
type Json<Options> = Omit<Options, 'when'> & { readonly when?: object };

type AnswerInput = Json<AnswerOptions> & {
  readonly target: EndpointId;
  /** A JSON merge patch of the data; with a status, the whole body. */
  readonly patch: unknown;
};
type DisruptInput = Json<FaultOptions> & { readonly target: Target; readonly disruption: Disruption };

/** A failure with a status, and optionally a code, that the contract has for its target. */
type FailureInput = {
  [T in Target]: Json<FaultOptions> & {
    readonly target: T;
    readonly status: StatusOf<T>;
    readonly code?: CodeWith<T, StatusOf<T>>;
    readonly message?: string;
  };
}[Target];

/** The name of the latest fault, for later commands. */
const named = (world: World, _: Fault): { readonly fault: string } => ({
  fault: `fault-${world.context.faults.rules.length}`,
});

/** Every command of the control plane, with its JSON input and output. */
export const COMMANDS = {
  /** What is set in the world, and what happened in it. */
  state: (world: World, _: object = {}) => stateOf(world),
  /** Advances the world's clock. */
  advance: (world: World, { by }: { by: Duration }) => ({ now: world.clock.advance(by) }),
  advanceTo: (world: World, { to }: { to: number | string }) => ({ now: world.clock.advanceTo(to) }),
  fail: (world: World, { target, status, ...rest }: FailureInput) =>
    // The endpoint, and thus its statuses, is known only at run time.
    named(world, world.fail(target, status as 500, rest as object)),
  /** Changes responses by a JSON merge patch. */
  answer: (world: World, { target, patch, ...options }: AnswerInput) =>
    named(world, world.answer(target, patch as object, options as { offContract: true })),
  disrupt: (world: World, { target, disruption, ...rest }: DisruptInput) =>
    named(world, world.disrupt(target, disruption, rest)),
  /** Gives each successive call its own outcome. */
  sequence: (world: World, { target, steps }: { target: Target; steps: readonly SequenceStep<Target>[] }) =>
    named(world, world.sequence(target, steps as readonly SequenceStep<'*'>[])),
  /** Makes a network slow or unreliable. */
  profile: (world: World, { profile, target }: { profile: ProfileName | Profile; target?: Target }) =>
    named(world, world.profile(profile, target)),
  /** The number of requests that a fault was applied to. */
  hits: (world: World, { fault }: { fault: string }) => ({ hits: faultNamed(world, fault).hits }),
  /** Ends a fault. */
  lift: (world: World, { fault }: { fault: string }) => {
    const found = faultNamed(world, fault);
    found.lift();
    return { hits: found.hits };
  },
  delay: (world: World, { target, duration }: { target: Target; duration: Latency }) => world.delay(target, duration),
  /** Closes a gate; later commands refer to it by its name or its target. */
  hold: (world: World, { target, times }: { target: Target; times?: number }) => {
    world.hold(target, times === undefined ? {} : { times });
    return { gate: gatesOf(world).at(-1)?.gate ?? '' };
  },
  /** Opens one gate, or all gates of a target. */
  release: (world: World, { gate, target }: { gate?: string; target?: Target }) => {
    const closed = gatesNamed(world, gate, target);
    if (closed.length === 0) {
      throw new RangeError(`release: no gate holds ${gate ?? target ?? 'an unnamed target'}; send hold first`);
    }
    const released = closed.reduce((sum, { held }) => sum + held, 0);
    for (const one of closed) one.release();
    return { released };
  },
  lens: (world: World, { lens, target }: { lens?: Lens; target?: Target }) => world.lens(lens, target),
  put: (world: World, { content }: { content: ContentChange }) => world.put(content),
  remove: (world: World, ids: ContentIds) => world.remove(ids),
  visitAs: (world: World, visitor: { ip?: string; origin?: string }) => world.visitAs(visitor),
  rotateKey: (world: World, _: object = {}) => ({ apiKey: world.rotateKey() }),
  blog: (world: World, _: object = {}) => world.blog,
  calls: (world: World, _: object = {}) => world.journal,
  tokens: (world: World, _: object = {}) => world.tokens.issued,
  preview: async (world: World, { id }: { id: string }) => ({ token: await world.preview(id) }),
  /** The parts of a signed webhook, for the caller to send. */
  webhook: async (world: World, { type, ...options }: { type: WebhookType } & WebhookOptions) => {
    // The id that the type needs is checked at run time.
    const request = await world.webhook(type as 'post.updated', options as { id: string });
    return { url: request.url, headers: Object.fromEntries(request.headers), body: await request.text() };
  },
  ad: (world: World, { id }: { id: string }) => world.ad(id),
  offContract: (world: World, _: object = {}) => world.offContract,
  forgive: (world: World, _: object = {}) => world.forgive(),
  /** Pending responses, and faults and gates that matched no request. */
  unfinished: (world: World, _: object = {}) => world.unfinished(),
  reset: (world: World, _: object = {}) => world.reset(),
  snapshot: (world: World, { name }: { name: string }) => void snapshotsOf(world).set(name, world.snapshot()),
  restore: (world: World, { name }: { name: string }) => {
    const state = snapshotsOf(world).get(name);
    if (!state) throw new RangeError(`restore: no snapshot is called ${name}; send snapshot first`);
    world.restore(state);
  },
} as const;

/**
 * The name of a command.
 *
 * @example
 * ```ts
 * const name: CommandName = 'reset';
 * await remote.send(name);
 * ```
 */
export type CommandName = keyof typeof COMMANDS;
/**
 * The input of a command.
 *
 * @example
 * ```ts
 * const input: CommandInput<'delay'> = { target: 'posts.list', duration: '300ms' };
 * await remote.send('delay', input);
 * ```
 */
export type CommandInput<C extends CommandName> = Parameters<(typeof COMMANDS)[C]>[1];
/**
 * The output of a command.
 *
 * @example
 * ```ts
 * const counts: CommandOutput<'ad'> = await remote.send('ad', { id });
 * ```
 */
export type CommandOutput<C extends CommandName> = Awaited<ReturnType<(typeof COMMANDS)[C]>>;
