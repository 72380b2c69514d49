import { fallback, type Rule } from '@broadsheet/contract';
import type { LogEntry, OperatorStore, Scope } from '@broadsheet/store';
import type { Shown } from './seen.ts';
import type { Printed } from './text-table.ts';

/** The person or program that runs a command, as the log names them, and their rights. */
export interface Actor {
  /** `command line`, `token ci`, or the name of a person. */
  readonly name: string;
  readonly scope: Scope;
  /** The only blog that they may act on; `null` for all blogs. */
  readonly blogId: string | null;
  /** Whether they may act on the server itself: its people and its tokens. */
  readonly isOperator: boolean;
}

/** Somebody with a shell on the machine of the server. */
export const COMMAND_LINE: Actor = { name: 'command line', scope: 'all', blogId: null, isOperator: true };

/**
 * What commands can change. `settings` are the name, the domains, the time zone and the publisher of a blog; `blog` is
 * whether it exists. `uploads` are the received parts of an import or a copy, which nobody sees before it ends. `secret`
 * is the secret that signs tokens, which only a copy replaces, with all rows.
 */
export const TOUCHABLE = [
  ...['posts', 'labels', 'ads', 'campaigns', 'images', 'keys', 'hooks', 'settings', 'blog'],
  ...['people', 'tokens', 'previews', 'report links', 'uploads', 'secret'],
] as const;
export type Touch = (typeof TOUCHABLE)[number];

/** An argument of a command: its rule, and how the command line takes it. */
export interface Argument<Out = unknown> {
  readonly rule: Rule<Out, unknown>;
  /** By its position, by a flag, or not at all. */
  readonly by: 'position' | 'flag' | 'program';
  /** The text in `--help`. */
  readonly help: string;
  /** How it is called on the command line, by default its own name, for a flag in kebab case. */
  readonly name?: string | undefined;
  /** A value for the example in `--help`, if it is required. */
  readonly sample?: string | undefined;
  /** The placeholder of the value of a flag; empty for a flag without a value. */
  readonly value: string;
  /** Whether it is passed unchanged, after it was checked. */
  readonly isAsGiven?: boolean;
}

/** An argument that the command line takes by its position. */
export const position = <Out>(
  rule: Rule<Out, unknown>,
  help: string,
  more: Pick<Argument, 'name' | 'sample'> = {},
): Argument<Out> => ({ ...{ rule, help, ...more }, by: 'position', value: '' });

/** An argument that the command line takes by a flag. */
export const flagged = <Out>(rule: Rule<Out, unknown>, value: string, help: string, name?: string): Argument<Out> => ({
  ...{ rule, help, name, value },
  by: 'flag',
});

/** An argument that only programs and forms pass. */
export const internal = <Out>(rule: Rule<Out, unknown>): Argument<Out> => ({
  rule,
  by: 'program',
  help: '',
  value: '',
});

const whole = (min: number): Rule<number> => ({ kind: 'integer', min, max: 999_999_999 });

/** The arguments that select a page of a list. */
export const page = (what: string) => ({
  limit: flagged(fallback(whole(1), 50), 'number', `number of ${what} to list`),
  offset: flagged(fallback(whole(0), 0), 'number', `number of ${what} to skip`),
});

/** A large argument that is passed unchanged: an import distinguishes an omitted field from an empty one. */
export const asGiven = <In>(rule: Rule<unknown, In>): Argument<In> => ({
  ...internal(rule as Rule<In, unknown>),
  isAsGiven: true,
});

export type Arguments = Readonly<Record<string, Argument>>;
type Out<A> = A extends Argument<infer Value> ? Value : never;
/** The values of arguments, by name. */
export type ValuesOf<A extends Arguments> = {
  readonly [K in keyof A as undefined extends Out<A[K]> ? never : K]: Out<A[K]>;
} & { readonly [K in keyof A as undefined extends Out<A[K]> ? K : never]?: Out<A[K]> };

/** The context in which a command runs. */
export interface CommandContext {
  /** The store, in the transaction of the command. */
  readonly store: OperatorStore;
  /** The id of the blog that the command acts on; it exists. Empty for a command on the server. */
  readonly blog: string;
  /** Milliseconds since the epoch, by the clock of the server. */
  readonly now: number;
  readonly actor: Actor;
  /** The number of the request, for a command that keeps its result in a transaction of its own. */
  readonly request?: string | undefined;
  /** Whether the server has pages for people, such as the reports of campaigns. */
  readonly hasPages: boolean;
  /** Aborted when nobody waits for the result any longer. */
  readonly signal?: AbortSignal | undefined;
  /** Called from time to time during long work, so that others have a turn. */
  readonly pause?: (() => Promise<void>) | undefined;
  /** Refuses API keys that another database of a deployment has; within a database, its constraint does. */
  readonly requireFreeKeys?: ((apiKeys: readonly string[]) => Promise<void>) | undefined;
  /** An entry of the log, by default about the blog, for a command that has transactions of its own. */
  entry(what: string, blogId?: null): LogEntry;
}

/** Writes a timestamp for a reader; `null` stays `null`. */
export type Written = (at: string | null) => string | null;

interface CommandRow<A extends Arguments, Result> {
  /** The text in `--help`; without it, the command line has no such command. */
  readonly help?: string;
  /** The command lines in `--help`; by default one with the required arguments. */
  readonly examples?: readonly string[];
  /**
   * What the command acts on, by default a blog that exists; with `any blog`, it need not exist. With `each blog`, the
   * command line runs the command on every blog, or only on the blog of `--blog`.
   */
  readonly on?: 'blog' | 'each blog' | 'new blog' | 'any blog' | 'server' | 'blog or server';
  /**
   * The scopes of tokens that permit it, besides `all`. `operator` permits it to operators only, which is the default of
   * commands on the server.
   */
  readonly scopes?: readonly Scope[] | 'operator';
  readonly args: A;
  /** The maximum number of bytes of a request's arguments; 64 KiB by default. */
  readonly bodyBytes?: number;
  /** Whether it concerns the pages for people, which a deployment on Workers does not have. */
  readonly needsPages?: true;
  /** Whether it waits until no other such command runs, because it holds much memory or the only writer for long. */
  readonly alone?: true;
  /**
   * For a command on the server: the command on a blog that has the result for one blog. A host that stores each blog
   * separately runs that command on every blog instead.
   */
  readonly perBlog?: string;
  run(context: CommandContext, args: ValuesOf<A>): Promise<Result>;
  /**
   * For a command that edits something: the stored values of its arguments, as a form shows them. Somebody who edits in a
   * form sends only what they have changed, and a change of a value that they have not seen is a conflict.
   */
  current?(context: CommandContext, args: ValuesOf<A>): Promise<Shown>;
  /** What `--json` prints; by default the result. */
  json?(result: Result): unknown;
  /**
   * The text that the command line prints without `--json`; by default the sentence of the log.
   *
   * @param written writes a timestamp in the time zone of the blog, if the command `hasTimes`
   */
  text?(result: Result, args: ValuesOf<A>, blog: string, written: Written): Printed;
  /** Whether the text contains timestamps. */
  readonly hasTimes?: boolean;
  /** A note that the command line prints to standard error. */
  note?(result: Result, args: ValuesOf<A>, blog: string): string | undefined;
}

/** A command that changes nothing. */
interface Reading {
  readonly effect: 'read';
  readonly touches?: never;
  readonly transaction?: never;
  readonly isIdempotent?: never;
  readonly isRead?: never;
  readonly unlogged?: never;
  readonly log?: never;
  readonly blogOf?: never;
}

/** A command that can change something. */
interface Writing<A extends Arguments, Result> {
  readonly effect: 'write';
  /** What it can change. */
  readonly touches: readonly [Touch, ...Touch[]];
  /**
   * `long`: in a transaction without the time limits of requests; `own`: in transactions of its own. By default, in one
   * transaction.
   */
  readonly transaction?: 'long' | 'own';
  /** Whether a repeat changes nothing and has the same result, so that no result has to be kept for it. */
  readonly isIdempotent?: true;
  /** Whether a call with these arguments changes nothing. */
  isRead?(args: ValuesOf<A>): boolean;
  /** The blog that a change of the server concerns, for the log. */
  blogOf?(result: Result): string | null;
}

/** What the log says about a change. */
type Logged<A extends Arguments, Result> =
  | {
      /** The change as a sentence without a subject; `undefined` if nothing was changed. */
      log(result: Result, args: ValuesOf<A>): string | undefined;
      readonly unlogged?: never;
    }
  | {
      readonly log?: never;
      /**
       * Why there is no such sentence: `run` writes its entries itself, in its own transaction, or nobody sees the change
       * before a later command, which has an entry.
       */
      readonly unlogged: 'run writes the log' | 'nobody sees it yet';
    };

/**
 * Something that an operator can do. The command line, `/manage` and the buttons of the panel read these rows; only
 * `run` acts, on the server. Everything that a host has to know about a command is in its row: no other code decides by
 * the name of a command.
 */
export type Command<A extends Arguments = Arguments, Result = unknown> = CommandRow<A, Result> &
  (Reading | (Writing<A, Result> & Logged<A, Result>));

/** Whether a call changes nothing. */
export const isReading = (row: Command, args: unknown): boolean =>
  // The arguments were read by the rules of the row.
  row.effect === 'read' || (row.isRead?.(args as never) ?? false);

/** Whether a command can change this. */
export const canTouch = ({ touches }: Command, touch: Touch): boolean => touches?.includes(touch) ?? false;

/** A row of the table, with the types of its arguments and its result. */
export const command = <const A extends Arguments, Result>(row: Command<A, Result>): Command<A, Result> => row;

/** Commands by name, `GROUP.COMMAND`. */
export type CommandTable = Readonly<Record<string, Command>>;
export type ArgsOf<C> = C extends { readonly args: infer A extends Arguments } ? ValuesOf<A> : never;
export type ResultOf<C> = C extends { run(context: never, args: never): Promise<infer Result> } ? Result : never;
