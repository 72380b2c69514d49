import { CORS } from '@broadsheet/core';
import type { WorldAnswer, WorldRequest } from '../doors/answer.ts';
import type { ListenOptions } from '../doors/listening.ts';
import type { InnerMock } from '../worlds/mock.ts';
import type { World } from '../worlds/world.ts';
import { COMMANDS, type CommandName, type Handles } from './commands.ts';
import { commandInput, commandSchemas, worldOptions } from './fields.ts';

/** Where the control plane lives, beside the API. */
export const CONTROL_PATH = '/__mock';

const handlesOf = new WeakMap<World, Handles>();
const utf8 = new TextDecoder();
const reply = (body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): WorldAnswer => ({
  status,
  headers: { ...CORS, ...headers, 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/**
 * Answers the control plane: `POST /__mock/worlds` makes a world, `DELETE /__mock/worlds/{key}` drops it and
 * `POST /__mock/worlds/{key}/{command}` drives it; bodies are JSON.
 */
export async function answerControl(
  mock: InnerMock,
  request: WorldRequest,
  newWorlds: NonNullable<ListenOptions['worlds']>,
): Promise<WorldAnswer> {
  try {
    if (request.method === 'OPTIONS') return preflight();
    const { origin, pathname } = new URL(request.url);
    const path = pathname.slice(CONTROL_PATH.length).replace(/\/$/, '');
    if (path === '') {
      const baseUrl = origin + new URL(mock.baseUrl).pathname.replace(/\/$/, '');
      return only('GET', request, () => reply({ baseUrl, commands: commandSchemas() }));
    }
    if (path === '/worlds') {
      if (request.method === 'GET') return reply(listed(mock));
      return await only('POST', request, async () => {
        const options = worldOptions(await inputOf(request));
        const { name, apiKey } = mock.world(options.pace === undefined ? { ...newWorlds(), ...options } : options);
        return reply({ name, apiKey }, 201);
      });
    }
    const [, key, command] = /^\/worlds\/([^/]+)(?:\/([^/]+))?$/.exec(path) ?? [];
    if (key === undefined)
      return reply({ error: `there is nothing at ${pathname}; there are ${FORMS.join(', ')}` }, 404);
    const world = mock.worlds.get(decodeURIComponent(key));
    if (!world)
      return reply({ error: `there is no world with the key ${key}; POST ${CONTROL_PATH}/worlds first` }, 404);
    if (command === undefined) {
      return only('DELETE', request, () => {
        mock.drop(world);
        return reply({});
      });
    }
    if (!isCommand(command)) {
      return reply({ error: `${command} is no command; there are ${Object.keys(COMMANDS).join(', ')}` }, 404);
    }
    return await only('POST', request, async () => reply(run(world, command, await inputOf(request))));
  } catch (error) {
    return reply({ error: error instanceof Error ? error.message : String(error) }, 400);
  }
}

/** Every world, with what happened in it so far. */
const listed = ({ worlds }: InnerMock) =>
  [...new Set(worlds.values())].map((world) => ({
    ...{ name: world.name, apiKey: world.apiKey, blog: world.blog.name, now: world.clock.now() },
    ...{ calls: world.journal.length, unfinished: world.unfinished() },
  }));

const FORMS = [
  `GET ${CONTROL_PATH}`,
  `GET ${CONTROL_PATH}/worlds`,
  `POST ${CONTROL_PATH}/worlds`,
  `DELETE ${CONTROL_PATH}/worlds/{key}`,
  `POST ${CONTROL_PATH}/worlds/{key}/{command}`,
];

/** A path has one method: a slip must not do what another method, or another path, does. */
function only<T>(method: string, request: WorldRequest, answer: () => T): T | WorldAnswer {
  if (request.method === method) return answer();
  const { pathname } = new URL(request.url);
  return reply({ error: `${request.method} does nothing at ${pathname}; send ${method}` }, 405, { allow: method });
}

const isCommand = (word: string): word is CommandName => Object.hasOwn(COMMANDS, word);

function run(world: World, command: CommandName, input: unknown): unknown {
  const handles = handlesOf.get(world) ?? { gates: new Map(), faults: new Map(), snapshots: new Map() };
  handlesOf.set(world, handles);
  const act = COMMANDS[command] as (world: World, input: unknown, handles: Handles) => unknown;
  return act(world, commandInput(command, input), handles);
}

async function inputOf(request: WorldRequest): Promise<unknown> {
  const text = utf8.decode(await request.body(Number.POSITIVE_INFINITY));
  try {
    return JSON.parse(text || '{}');
  } catch (cause) {
    throw new SyntaxError(`the body is no JSON: ${(cause as Error).message}`, { cause });
  }
}

function preflight(): WorldAnswer {
  const headers = { ...CORS, 'access-control-allow-methods': 'GET, POST, DELETE', 'access-control-allow-headers': '*' };
  return { status: 204, headers, body: null };
}
