import { existsSync } from 'node:fs';
import { StoreUnavailable } from '@broadsheet/core';
import {
  type ArgsOf,
  COMMAND_LINE,
  type COMMANDS,
  type CommandName,
  type CommandTable,
  createManagementClient,
  isRemote,
  type ManagementClient,
  OperationError,
  type ResultOf,
  readServerUrl,
  runCommand,
} from '@broadsheet/management';
import type { SqlStore } from '@broadsheet/store';
import { DatabaseTooNew, NotOurs, UnknownSchema } from '@broadsheet/store';
import type { StoreOptions } from '@broadsheet/store/node';
import { note } from '../program/output.ts';
import { readDatabase, withoutPassword } from '../settings/database-url.ts';
import { readEnvironment } from '../settings/environment.ts';
import { readStatementTimeout } from '../settings/settings.ts';
import { unusable } from './unusable.ts';

/** The flags of commands on a database. */
export interface CommandFlags {
  readonly database?: string | undefined;
  readonly json?: boolean;
}

/** The URL of a server that was started without arguments. */
const DEFAULT_SERVER = 'http://127.0.0.1:4500';

/** The URL under which readers find the images of a database. @throws OperationError */
export function publicUrlOf(flags: CommandFlags): string {
  const url = urlOf(flags);
  const publicUrl = process.env['PUBLIC_URL'];
  if (publicUrl) return readServerUrl('PUBLIC_URL', publicUrl);
  return isRemote(url) ? url : DEFAULT_SERVER;
}

/** Explains the URLs of images if they point to a server on this machine. */
export function notePublicUrl(publicUrl: string): void {
  if (publicUrl !== DEFAULT_SERVER) return;
  const move = `"broadsheet media move ${DEFAULT_SERVER} https://…" changes it later`;
  note(`note: images get URLs below ${DEFAULT_SERVER}, because PUBLIC_URL is not set; ${move}`);
}

function urlOf(flags: CommandFlags): string {
  const problems: string[] = [];
  const url = readDatabase(flags.database, readEnvironment(), problems);
  if (problems.length > 0) throw new OperationError(problems);
  return url;
}

/** Opens a database, with errors that an operator can act on. @throws OperationError */
export async function openDatabase(
  url: string,
  { dryRun = false, ...options }: StoreOptions & { create: boolean; dryRun?: boolean },
): Promise<SqlStore> {
  if (isRemote(url)) {
    throw new OperationError(
      `${url} is a remote server, not a database: run this command on its machine, with sqlite:PATH or postgres://….`,
    );
  }
  const file = url.startsWith('sqlite:') ? url.slice('sqlite:'.length) : undefined;
  const statementTimeout = readStatementTimeout(process.env);
  const { openStore } = await import('@broadsheet/store/node');
  if (!options.create && file !== undefined && file !== ':memory:' && !existsSync(file)) {
    if (dryRun) return openStore('sqlite::memory:');
    throw new OperationError(
      `There is no database at ${file}; name it with --database, or create it with "broadsheet import".`,
    );
  }
  try {
    return await openStore(url, {
      statementTimeout,
      ...options,
      secret: readEnvironment()['BROADSHEET_SECRET'] || undefined,
    });
  } catch (error) {
    if (error instanceof DatabaseTooNew || error instanceof UnknownSchema) throw new OperationError(error.message);
    if (error instanceof NotOurs && error.isEmpty && dryRun) return openStore('sqlite::memory:');
    if (error instanceof NotOurs) throw new OperationError(notOurs(withoutPassword(url), options.create));
    throw unusable(url, error);
  }
}

function notOurs(url: string, create: boolean): string {
  if (create)
    return `The database ${url} has tables of another program; name a separate database for Broadsheet with --database.`;
  const fix = 'name another with --database, or create a blog in it with "broadsheet import"';
  return `The database ${url} has no Broadsheet tables; ${fix}.`;
}

/** Runs a command on a blog, or on the server with an empty id. */
export type Run = <Name extends CommandName>(
  name: Name,
  blog: string,
  args: ArgsOf<(typeof COMMANDS)[Name]>,
) => Promise<ResultOf<(typeof COMMANDS)[Name]>>;

/** The target of `--database`: a database that is opened in this process, or a server to which commands are sent. */
export type DatabaseTarget =
  | { readonly store: SqlStore; readonly client?: never }
  | { readonly client: ManagementClient; readonly store?: never };

/**
 * Opens the target of `--database`, passes it to `work`, and always closes it.
 *
 * @param create whether a missing database is created; a dry run gets an empty one in memory instead
 * @throws OperationError
 */
export async function withTarget<T>(
  flags: CommandFlags,
  { create = false, dryRun = false }: { readonly create?: boolean; readonly dryRun?: boolean },
  work: (target: DatabaseTarget) => Promise<T>,
): Promise<T> {
  const url = urlOf(flags);
  try {
    if (isRemote(url))
      return await work({ client: createManagementClient(url, readEnvironment()['BROADSHEET_ADMIN_TOKEN']) });
    const store = await openDatabase(url, { create, dryRun });
    return await work({ store }).finally(() => store.close());
  } catch (error) {
    throw error instanceof StoreUnavailable ? unusable(url, error) : error;
  }
}

/** Runs commands of a table on the target of `--database`; see {@link withTarget}. */
export function withRunner<T>(
  flags: CommandFlags,
  { commands, create = false }: { readonly commands: CommandTable; readonly create?: boolean },
  work: (run: Run) => Promise<T>,
): Promise<T> {
  return withTarget(flags, { create }, ({ store, client }) => {
    const run = (name: string, blog: string, args: object) =>
      client
        ? client.run(name, blog, args)
        : runCommand({ store, now: Date.now(), commands }, { name, blog, args, actor: COMMAND_LINE });
    // The table declares the types of arguments and results.
    return work(run as Run);
  });
}
