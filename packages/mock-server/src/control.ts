import type { CommandInput, CommandName, CommandOutput } from './control/commands.ts';
import type { WorldOptions } from './world.ts';

/**
 * A world in another process. Commands are those of {@link World}, asked over HTTP.
 *
 * @example
 * ```ts
 * const remote: RemoteWorld = await remoteWorld('http://127.0.0.1:4510');
 * await remote.send('advance', { by: '10m' });
 * await remote.drop();
 * ```
 */
export interface RemoteWorld {
  readonly name: string;
  readonly connection: { readonly baseUrl: string; readonly apiKey: string };
  /** Sends one command. @throws Error with the words of the mock when it refuses */
  send<C extends CommandName>(command: C, ...input: CommandArguments<C>): Promise<CommandOutput<C>>;
  /** Forgets the world. */
  drop(): Promise<void>;
}

/**
 * What follows the name of a command: nothing for those that take nothing.
 *
 * @example
 * ```ts
 * const wish: CommandArguments<'hold'> = [{ target: 'search' }];
 * await remote.send('hold', ...wish);
 * ```
 */
export type CommandArguments<C extends CommandName> =
  object extends CommandInput<C> ? [input?: CommandInput<C>] : [input: CommandInput<C>];

/**
 * Makes a world in a mock that runs elsewhere (`broadsheet-mock`), for end-to-end tests in any runner.
 *
 * @example
 * ```ts
 * const world = await remoteWorld('http://127.0.0.1:4510');
 * await world.send('fail', { target: 'posts.list', status: 500 });
 * ```
 */
export async function remoteWorld(
  url: string,
  options: WorldOptions = {},
  fetch: typeof globalThis.fetch = globalThis.fetch,
): Promise<RemoteWorld> {
  const base = url.replace(/\/$/, '');
  const worlds = `${new URL(base).origin}/__mock/worlds`;
  const ask = async <T>(path: string, input: unknown, method = 'POST'): Promise<T> => {
    const body = method === 'POST' ? { body: JSON.stringify(input ?? {}) } : {};
    const response = await fetch(`${worlds}${path}`, { method, ...body });
    const answer = (await response.json()) as T & { error?: string };
    if (!response.ok) throw new Error(`mock control${path}: ${answer.error ?? response.status}`);
    return answer;
  };
  const { name, apiKey } = await ask<{ name: string; apiKey: string }>('', options);
  const here = `/${encodeURIComponent(apiKey)}`;
  return {
    name,
    connection: { baseUrl: base, apiKey },
    send: (command, ...[input]) => ask(`${here}/${command}`, input),
    drop: async () => void (await ask(here, undefined, 'DELETE')),
  };
}

export type { CommandInput, CommandName, CommandOutput } from './control/commands.ts';
