import type { BlogContent } from '../data/sample-blog.ts';
import type {
  CodeWith,
  Disruption,
  Fault,
  FaultOptions,
  Profile,
  SequenceStep,
  StatusOf,
  Target,
} from '../faults/fault.ts';
import type { Gate } from '../faults/gates.ts';
import type { ProfileName } from '../faults/profiles.ts';
import type { Lens } from '../lenses/lens.ts';
import type { Duration } from '../time/duration.ts';
import type { World, WorldState } from '../worlds/world.ts';

/** What the control plane holds of one world between two commands. */
export interface Handles {
  readonly gates: Map<string, Gate>;
  readonly faults: Map<string, Fault>;
  readonly snapshots: Map<string, WorldState>;
}

/** What can be said in JSON of when a fault applies. */
type FaultChoice = Omit<FaultOptions, 'when'>;

interface FaultInput extends FaultChoice {
  readonly target: Target;
}

/** A failure with a status, and a code, of the contract of its target. */
type FailureInput = {
  [T in Target]: FaultChoice & {
    readonly target: T;
    readonly status: StatusOf<T>;
    readonly code?: CodeWith<T, StatusOf<T>>;
    readonly message?: string;
  };
}[Target];

/** Names a fault, so that later commands can speak of it. */
function named(fault: Fault, { faults }: Handles): { readonly fault: string } {
  const name = `fault-${faults.size + 1}`;
  faults.set(name, fault);
  return { fault: name };
}

function faultOf(name: string, { faults }: Handles): Fault {
  const fault = faults.get(name);
  if (fault) return fault;
  throw new RangeError(
    `there is no fault ${JSON.stringify(name)}; there are ${[...faults.keys()].join(', ') || 'none'}`,
  );
}

/** Every command of the control plane: what it takes, as JSON, and what it gives back. */
export const COMMANDS = {
  /** Moves the world's clock on. */
  advance: (world: World, { by }: { by: Duration }) => ({ now: world.clock.advance(by) }),
  fail: (world: World, { target, status, ...rest }: FailureInput, handles: Handles) =>
    // Which endpoint it is, and so which statuses it has, is known only at run time.
    named(world.fail(target, status as 500, rest as object), handles),
  disrupt: (world: World, { target, disruption, ...rest }: FaultInput & { disruption: Disruption }, handles: Handles) =>
    named(world.disrupt(target, disruption, rest), handles),
  /** Answers one call after the other differently. */
  sequence: (
    world: World,
    { target, steps }: { target: Target; steps: readonly SequenceStep<Target>[] },
    handles: Handles,
  ) => named(world.sequence(target, steps as readonly SequenceStep<'*'>[]), handles),
  /** Makes a network slow or unreliable. */
  profile: (world: World, { profile, target }: { profile: ProfileName | Profile; target?: Target }, handles: Handles) =>
    named(world.profile(profile, target), handles),
  /** How many requests a fault was applied to. */
  hits: (_world: World, { fault }: { fault: string }, handles: Handles) => ({ hits: faultOf(fault, handles).hits }),
  /** Ends a fault. */
  lift: (_world: World, { fault }: { fault: string }, handles: Handles) => {
    const found = faultOf(fault, handles);
    found.lift();
    return { hits: found.hits };
  },
  delay: (world: World, { target, duration }: { target: Target; duration: Duration }) => {
    world.delay(target, duration);
    return {};
  },
  /** Closes a gate, which the target names from now on. */
  hold: (world: World, { target, times }: { target: Target; times?: number }, { gates }: Handles) => {
    gates.set(target, world.hold(target, times === undefined ? {} : { times }));
    return {};
  },
  release: (_world: World, { target }: { target: Target }, { gates }: Handles) => {
    const gate = gates.get(target);
    if (!gate) throw new RangeError(`release: nothing holds ${target}; send hold first`);
    const { held } = gate;
    gate.release();
    gates.delete(target);
    return { released: held };
  },
  lens: (world: World, { lens, target }: { lens?: Lens; target?: Target }) => {
    world.lens(lens, target);
    return {};
  },
  put: (world: World, { content }: { content: Partial<BlogContent> }) => {
    if (!content) throw new RangeError('put: there is no content; send { content: { posts, categories, tags, ads } }');
    world.put(content);
    return {};
  },
  visitAs: (world: World, visitor: { ip?: string; origin?: string }) => {
    world.visitAs(visitor);
    return {};
  },
  rotateKey: (world: World, _: object = {}) => ({ apiKey: world.rotateKey() }),
  blog: (world: World, _: object = {}) => world.blog,
  calls: (world: World, _: object = {}) => world.journal,
  tokens: (world: World, _: object = {}) => world.tokens.issued,
  ad: (world: World, { id }: { id: string }) => world.ad(id),
  offContract: (world: World, _: object = {}) => world.offContract,
  forgive: (world: World, _: object = {}) => {
    world.forgive();
    return {};
  },
  /** What waits, and the faults that met no request. */
  unfinished: (world: World, _: object = {}) => world.unfinished(),
  reset: (world: World, _: object = {}) => {
    world.reset();
    return {};
  },
  snapshot: (world: World, { name }: { name: string }, { snapshots }: Handles) => {
    snapshots.set(name, world.snapshot());
    return {};
  },
  restore: (world: World, { name }: { name: string }, { snapshots }: Handles) => {
    const state = snapshots.get(name);
    if (!state) throw new RangeError(`restore: there is no snapshot ${name}; send snapshot first`);
    world.restore(state);
    return {};
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
 * What a command takes.
 *
 * @example
 * ```ts
 * const input: CommandInput<'delay'> = { target: 'posts.list', duration: '300ms' };
 * await remote.send('delay', input);
 * ```
 */
export type CommandInput<C extends CommandName> = Parameters<(typeof COMMANDS)[C]>[1];
/**
 * What a command gives back.
 *
 * @example
 * ```ts
 * const counts: CommandOutput<'ad'> = await remote.send('ad', { id });
 * ```
 */
export type CommandOutput<C extends CommandName> = ReturnType<(typeof COMMANDS)[C]>;
