import { accept, type Rule, strictRecord } from '@broadsheet/contract';
import {
  BlogExists,
  ContentClash,
  type LogEntry,
  type OperatorStore,
  PartMissing,
  type Receipt,
  type SqlStore,
} from '@broadsheet/store';
import { requireBlog } from '../operations/blogs.ts';
import { OperationError, problemsAt } from '../operations/operation-error.ts';
import { type Actor, type Command, type CommandContext, type CommandTable, isReading } from './command.ts';
import { forbidden, requireScope } from './effects.ts';
import { narrowedStore } from './narrowed-store.ts';
import { changedFrom, onCurrent, type Shown } from './seen.ts';

/** A command that somebody wants to run. */
export interface CommandCall {
  readonly name: string;
  /** The blog that it acts on; empty for a command on the server. */
  readonly blog: string;
  /** The named arguments, unchanged, or a function that reads them, which a repeated call does not need. */
  readonly args: unknown;
  readonly actor: Actor;
  /** The values that the sender has seen, for a command that edits them. */
  readonly seen?: Shown | undefined;
  /**
   * The random number of what the sender wants: it runs once for this sender, and a repeat within an hour gets the
   * result of the first call.
   */
  readonly once?: string | undefined;
}

/** The host that runs a command. */
export interface CommandHost extends Pick<CommandContext, 'signal' | 'pause' | 'requireFreeKeys'> {
  readonly store: SqlStore;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly commands: CommandTable;
  /** See {@link CommandContext}; `true` by default. */
  readonly hasPages?: boolean;
}

/** The maximum number of levels of arguments: a part of an import has six. */
const DEPTH = 16;

/**
 * Runs a command: checks who asks and what they pass, runs it with the clock of the server, and writes the entry of the
 * log in the same transaction.
 *
 * @throws OperationError when the command is not permitted, or cannot be done as requested
 */
export async function runCommand(
  { store, now, commands, hasPages = true, ...host }: CommandHost,
  call: CommandCall,
): Promise<unknown> {
  const row = commandNamed(commands, call.name);
  requirePermission(call, row);
  const { blog, actor } = call;
  const request = row.isIdempotent ? undefined : requestOf(call);
  const earlier = request === undefined ? undefined : await store.findReceipt(request, now);
  if (earlier) return resultOf(earlier, call);
  const { seen, args } = await readCall(call, row);
  const isRead = isReading(row, args);
  const isInTransaction = !isRead && row.transaction !== 'own';
  const entry = (what: string, blogId: string | null = blog || null): LogEntry => {
    return { at: new Date(now).toISOString(), who: actor.name, blogId, what };
  };
  const work = async (within: OperatorStore) => {
    if (isInTransaction && request !== undefined && !(await within.claimRequest(request, now))) {
      return resultOf(await within.findReceipt(request, now), call);
    }
    if (['blog', 'each blog'].includes(row.on ?? 'blog')) {
      // A command that changes a blog locks it until it ends, so that nobody else changes what it has read.
      const exists = await (isInTransaction ? within.lockBlog(blog) : within.hasBlog(blog));
      if (!exists) await requireBlog(within, blog, actor.blogId === null);
    }
    let hasWritten = false;
    const narrowed = narrowedStore(within, actor, () => {
      hasWritten = true;
    });
    const context: CommandContext = { ...host, store: narrowed, blog, now, actor, request, hasPages, entry };
    const result = await row.run(
      context,
      seen ? onCurrent(seen, (await row.current?.(context, args)) ?? {}, args) : args,
    );
    // What a blog already has is not a change.
    const what = isRead || !hasWritten ? undefined : row.log?.(result, args);
    if (what !== undefined) await within.writeLog(entry(what, row.blogOf?.(result)));
    if (!isRead && request !== undefined) await within.keepResult(request, result, now);
    return result;
  };
  try {
    return await (isInTransaction ? store.transact(work, { for: row.transaction }) : work(store));
  } catch (error) {
    if (error instanceof PartMissing) throw new OperationError(error.message);
    if (error instanceof ContentClash) throw new OperationError(error.clashes, 'CONFLICT');
    throw error instanceof BlogExists ? new OperationError(error.message, 'CONFLICT') : error;
  }
}

/** The arguments of a call, and what an editor has seen. @throws OperationError */
async function readCall({ args, seen }: CommandCall, row: Command) {
  const given = typeof args === 'function' ? await args() : args;
  if (!row.current || !seen) return { args: readArguments(row, given) };
  const isRequired = (name: string) => !['optional', 'fallback'].includes(row.args[name]?.rule.kind ?? 'optional');
  return { args: readArguments(row, changedFrom(seen, given, isRequired)), seen };
}

/** The number of a request, which is different for each sender: nobody gets the result of somebody else. */
export const requestOf = ({ actor, name, blog, once }: Omit<CommandCall, 'args'>): string | undefined =>
  once === undefined ? undefined : JSON.stringify([actor.name, name, blog, once]);

/** The result of a request that was carried out before. @throws OperationError when it is no longer kept */
function resultOf(receipt: Receipt | undefined, { name }: CommandCall): unknown {
  if (receipt?.isKept) return receipt.result;
  throw new OperationError(`The command ${name} has already run, and its result is no longer kept.`, 'ALREADY_SENT');
}

/** The row with this name. @throws OperationError */
function commandNamed(commands: CommandTable, name: string): Command {
  const row = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (row) return row;
  throw new OperationError(`There is no command ${JSON.stringify(name)}.`, 'NOT_FOUND');
}

/** @throws OperationError */
export function requirePermission({ name, blog, actor }: Omit<CommandCall, 'args'>, row: Command): void {
  const { on = 'blog', scopes = on === 'server' ? 'operator' : [] } = row;
  if (scopes === 'operator') {
    if (actor.isOperator) return;
    throw forbidden(
      `${name} concerns the server itself: run it on the server's machine, with its database. Only the secret ADMIN_TOKEN of a deployment permits it over HTTP.`,
    );
  }
  if (on !== 'server' && actor.blogId !== null && (on === 'new blog' || actor.blogId !== blog)) {
    throw forbidden(
      `${actor.name} is for the blog ${actor.blogId}, and permits nothing else: ${blog} needs a token of its own.`,
    );
  }
  requireScope(actor, scopes);
}

/** The values of arguments. @throws OperationError with every problem */
function readArguments({ args }: Command, given: unknown): Readonly<Record<string, never>> {
  const rules = Object.fromEntries(Object.entries(args).map(([name, { rule }]) => [name, rule as Rule]));
  const read = accept(strictRecord(rules), given);
  if (!read.ok) throw new OperationError(problemsAt(read.fields));
  const problem = problemOf(given, '');
  if (problem) throw new OperationError([problem]);
  const raw = Object.keys(args).filter((name) => args[name]?.isAsGiven);
  const asGiven = raw.map((name) => [name, (given as Readonly<Record<string, unknown>>)[name]]);
  return { ...read.value, ...Object.fromEntries(asGiven) } as Readonly<Record<string, never>>;
}

/** Why a value cannot be stored or is nested too deeply, or `undefined`. */
function problemOf(value: unknown, at: string, levels = DEPTH): { at: string; message: string } | undefined {
  if (typeof value === 'string') {
    const isStorable = value.isWellFormed() && !value.includes('\0');
    return isStorable ? undefined : { at, message: 'contains U+0000 or a lone surrogate, which cannot be stored' };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if (levels === 0) return { at, message: `is nested more than ${DEPTH} levels deep` };
  for (const name in value) {
    const inner = at === '' ? name : `${at}.${name}`;
    const problem = problemOf(name, inner) ?? problemOf(value[name as keyof typeof value], inner, levels - 1);
    if (problem) return problem;
  }
  return undefined;
}
