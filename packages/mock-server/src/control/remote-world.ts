import type { WorldOptions } from '../worlds/world.ts';
import type { CommandInput, CommandName, CommandOutput } from './commands.ts';

/**
 * A world in another process. It takes the commands of a {@link World} over HTTP.
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
  /** Sends one command. @throws Error with the mock's message when it refuses */
  send<C extends CommandName>(command: C, ...input: CommandArguments<C>): Promise<CommandOutput<C>>;
  /** Drops the world. */
  drop(): Promise<void>;
}

/** The arguments after the name of a command; the input is optional if it has no required fields. */
type CommandArguments<C extends CommandName> =
  object extends CommandInput<C> ? [input?: CommandInput<C>] : [input: CommandInput<C>];

/**
 * Creates a world in a mock that runs in another process (`broadsheet-mock`), for end-to-end tests in any runner.
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
  if (!URL.canParse(url) || !/^https?:/.test(url)) throw new TypeError(noMock(url, 'it is not an http URL'));
  const base = url.replace(/\/$/, '');
  const worlds = `${new URL(base).origin}/__mock/worlds`;
  const request = async <T>(path: string, input: unknown, method = 'POST'): Promise<T> => {
    const body = method === 'POST' ? { body: JSON.stringify(input ?? {}) } : {};
    const response = await fetch(`${worlds}${path}`, { method, ...body }).catch((cause: unknown) => {
      throw new Error(noMock(url, 'nothing answers there'), { cause });
    });
    const text = await response.text();
    if (response.ok && isJson(response)) return JSON.parse(text) as T;
    const refusal = isJson(response) ? (JSON.parse(text) as { error?: unknown }).error : undefined;
    // Other servers also respond with JSON; an error of the API is an object, not a string.
    if (typeof refusal === 'string') throw new Error(`mock control${path}: ${refusal}`);
    throw new Error(noMock(url, `${method} ${worlds}${path} returned ${response.status}, but not from a mock`));
  };
  const { name, apiKey } = await request<{ name: string; apiKey: string }>('', options);
  const here = `/${encodeURIComponent(apiKey)}`;
  return {
    name,
    connection: { baseUrl: base, apiKey },
    send: (command, ...[input]) => request(`${here}/${command}`, input),
    drop: async () => void (await request(here, undefined, 'DELETE')),
  };
}

const isJson = (response: Response): boolean => response.headers.get('content-type') === 'application/json';

const noMock = (url: string, why: string): string =>
  `remoteWorld: there is no mock at ${JSON.stringify(url)}: ${why}; ` +
  'start one with npx broadsheet-mock and pass the URL that it prints, such as http://127.0.0.1:4510';

export type { CommandInput, CommandName, CommandOutput } from './commands.ts';
