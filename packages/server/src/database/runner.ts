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
  type ResultOf,
  runCommand,
  type ServerStore,
} from '@broadsheet/management';
import { type DatabaseFlag, openDatabase, urlOf } from './database.ts';
import { unusable } from './unusable.ts';

/** Runs a command on a blog, or on the server with an empty id. */
export type Run = <Name extends CommandName>(
  name: Name,
  blog: string,
  args: ArgsOf<(typeof COMMANDS)[Name]>,
) => Promise<ResultOf<(typeof COMMANDS)[Name]>>;

/** What `--database` points at: a database, opened in this process, or a server that commands are sent to. */
export type DatabaseTarget =
  | { readonly store: ServerStore; readonly client?: never }
  | { readonly client: ManagementClient; readonly store?: never };

/**
 * Opens what `--database` points at, passes it to `work`, and always closes it.
 *
 * @param create whether a missing database is created; a dry run gets an empty one in memory instead
 * @throws OperationError
 */
export async function withTarget<T>(
  flags: DatabaseFlag,
  { create = false, dryRun = false }: { readonly create?: boolean; readonly dryRun?: boolean },
  work: (target: DatabaseTarget) => Promise<T>,
): Promise<T> {
  const url = urlOf(flags);
  try {
    if (isRemote(url))
      return await work({ client: createManagementClient(url, process.env['BROADSHEET_ADMIN_TOKEN']) });
    const store = await openDatabase(url, { create, dryRun });
    return await work({ store }).finally(() => store.close());
  } catch (error) {
    throw error instanceof StoreUnavailable ? unusable(url, error) : error;
  }
}

/** Runs commands of a table where `--database` points; see {@link withTarget}. */
export function withRunner<T>(
  flags: DatabaseFlag,
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
