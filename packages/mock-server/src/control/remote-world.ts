import type { WorldClock } from '../time/clock.ts';
import type { Connection, Remote, WorldControls, WorldOptions } from '../worlds/world.ts';
import { type Kind, MEMBERS } from './members.ts';

/**
 * A world in another process. It has what a {@link World} has, and every value and result is a promise: with `await`,
 * the same test runs in the process of the mock and outside.
 */
export interface RemoteWorld extends WorldControls<'remote'> {
  readonly name: string;
  readonly connection: Connection;
  readonly webhookSecret: string;
  readonly clock: Remote<WorldClock>;
  /** Drops the world. */
  drop(): Promise<void>;
}

/** Sends a request to the control plane. @throws Error with the mock's message when it refuses */
type Send = (path: string, input?: unknown, method?: string) => Promise<unknown>;

/**
 * Creates a world in a mock that runs in another process (`broadsheet-mock`), for end-to-end tests in any runner.
 *
 * @example
 * ```ts
 * const world = await remoteWorld('http://127.0.0.1:4510');
 * const fault = await world.fail('posts.list', 500);
 * await world.clock.advance('10m');
 * expect(await fault.hits).toBe(1);
 * ```
 */
export async function remoteWorld(url: string, options: WorldOptions = {}): Promise<RemoteWorld> {
  if (!URL.canParse(url) || !/^https?:/.test(url)) throw new TypeError(noMock(url, 'it is not an http URL'));
  const send = sender(url);
  const { apiKey, ...created } = (await send('', options)) as { apiKey: string; name: string; webhookSecret: string };
  const here = `/${encodeURIComponent(apiKey)}`;
  const world = Object.assign(remoteObject('world', here, send), {
    ...created,
    connection: { baseUrl: url.replace(/\/$/, ''), apiKey },
    clock: remoteObject('clock', `${here}/clock`, send),
    drop: async () => void (await send(here, undefined, 'DELETE')),
  });
  // Its members come from a table that the compiler compares with a world.
  return world as object as RemoteWorld;
}

/** An object with the values and methods of an object of the mock. */
function remoteObject(type: keyof typeof MEMBERS, path: string, send: Send): object {
  const object = {};
  for (const [name, kind] of Object.entries(MEMBERS[type])) {
    const member = `${path}/${name}`;
    Object.defineProperty(object, name, {
      enumerable: true,
      configurable: true,
      ...(kind === 'value'
        ? { get: () => send(member) }
        : {
            writable: true,
            value: async (...args: unknown[]) => resultOf(kind, await send(member, args), path, send),
          }),
    });
  }
  return object;
}

function resultOf(kind: Kind, result: unknown, path: string, send: Send): unknown {
  if (kind === 'fault' || kind === 'gate') {
    return remoteObject(kind, `${path}/${(result as { handle: string }).handle}`, send);
  }
  if (kind !== 'request') return result ?? undefined;
  const { url, ...init } = result as RequestInit & { readonly url: string };
  return new Request(url, init);
}

function sender(url: string): Send {
  const worlds = `${new URL(url).origin}/__mock/worlds`;
  return async (path, input = [], method = 'POST') => {
    const body = method === 'POST' ? { body: JSON.stringify(input, withoutFunctions) } : {};
    const response = await fetch(`${worlds}${path}`, { method, ...body }).catch((cause: unknown) => {
      throw new Error(noMock(url, 'nothing responds there'), { cause });
    });
    const text = await response.text();
    const json = response.headers.get('content-type') === 'application/json' ? JSON.parse(text) : undefined;
    if (response.ok && json !== undefined) return json;
    // Other servers also respond with JSON; an error of the API is an object, not a string.
    if (typeof json?.error === 'string') throw new Error(`mock control${path}: ${json.error}`);
    throw new Error(noMock(url, `${method} ${worlds}${path} returned ${response.status}, but not from a mock`));
  };
}

/** JSON would leave a function out, and a fault would then apply to every call. */
function withoutFunctions(name: string, value: unknown): unknown {
  if (typeof value !== 'function') return value;
  const [option, instead] =
    name === 'when'
      ? [name, "values, such as { query: { q: 'x' } }"]
      : ['answer', "a JSON merge patch, such as { title: 'x' }"];
  throw new TypeError(`${option}: a function cannot be sent to another process; pass ${instead}`);
}

const noMock = (url: string, why: string): string =>
  `remoteWorld: there is no mock at ${JSON.stringify(url)}: ${why}; ` +
  'start one with npx --no -- broadsheet-mock and pass the URL that it prints, such as http://127.0.0.1:4510';
