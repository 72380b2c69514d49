import { CORS } from '@broadsheet/core';
import type { WorldAnswer, WorldRequest } from '../answer.ts';
import type { InnerMock } from '../mock.ts';
import type { World, WorldOptions } from '../world.ts';
import { COMMANDS, type CommandName, type Handles } from './commands.ts';

/** Where the control plane lives, beside the API. */
export const CONTROL_PATH = '/__mock';

const handlesOf = new WeakMap<World, Handles>();
const utf8 = new TextDecoder();
const reply = (body: unknown, status = 200): WorldAnswer => ({
  status,
  headers: { ...CORS, 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/**
 * Answers the control plane: `POST /__mock/worlds` makes a world, `DELETE /__mock/worlds/{key}` drops it and
 * `POST /__mock/worlds/{key}/{command}` drives it; bodies are JSON.
 */
export async function answerControl(mock: InnerMock, request: WorldRequest): Promise<WorldAnswer> {
  try {
    if (request.method === 'OPTIONS') return preflight();
    const [, apiKey, command] = new URL(request.url).pathname.slice(CONTROL_PATH.length + 1).split('/');
    const sent = request.method === 'POST' ? utf8.decode(await request.body(Number.POSITIVE_INFINITY)) : '';
    const input = readJson(sent);
    if (apiKey === undefined) {
      if (request.method !== 'POST') return reply({ baseUrl: mock.baseUrl, commands: Object.keys(COMMANDS) });
      const { name, apiKey: key } = mock.world(input as WorldOptions);
      return reply({ name, apiKey: key }, 201);
    }
    const world = mock.find(decodeURIComponent(apiKey));
    if (!world)
      return reply({ error: `there is no world with the key ${apiKey}; POST ${CONTROL_PATH}/worlds first` }, 404);
    if (request.method === 'DELETE') {
      mock.drop(world);
      return reply({});
    }
    if (!command || !Object.hasOwn(COMMANDS, command)) {
      return reply({ error: `${command ?? ''} is no command; there are ${Object.keys(COMMANDS).join(', ')}` }, 404);
    }
    const handles = handlesOf.get(world) ?? { gates: new Map(), snapshots: new Map() };
    handlesOf.set(world, handles);
    const run = COMMANDS[command as CommandName] as (world: World, input: unknown, handles: Handles) => unknown;
    return reply(run(world, input, handles));
  } catch (error) {
    return reply({ error: error instanceof Error ? error.message : String(error) }, 400);
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text || '{}');
  } catch (cause) {
    throw new SyntaxError(`the body is no JSON: ${text.slice(0, 60)}`, { cause });
  }
}

function preflight(): WorldAnswer {
  const headers = { ...CORS, 'access-control-allow-methods': 'GET, POST, DELETE', 'access-control-allow-headers': '*' };
  return { status: 204, headers, body: null };
}
