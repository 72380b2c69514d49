import type { WorldAnswer, WorldRequest } from '../doors/answer.ts';
import type { Pace } from '../time/clock.ts';
import { check } from '../worlds/checks.ts';
import type { InnerMock, ListenOptions } from '../worlds/mock.ts';
import type { WorldOptions } from '../worlds/world.ts';
import type { InnerWorld } from '../worlds/world-api.ts';
import { COMMANDS, type CommandName } from './commands.ts';
import { commandInput, fieldList } from './fields.ts';
import { stateOf } from './world-state.ts';

/** The path of the control plane, next to the API. */
export const CONTROL_PATH = '/__mock';

const utf8 = new TextDecoder();
const reply = (body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): WorldAnswer => ({
  status,
  headers: { ...headers, 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** Settings of the control plane. */
export type ControlOptions = Required<Pick<ListenOptions, 'pace' | 'allowOrigins'>>;

/**
 * Answers the control plane: `POST /__mock/worlds` creates a world, `DELETE /__mock/worlds/{key}` drops it and
 * `POST /__mock/worlds/{key}/{command}` runs a command in it; bodies are JSON. Only loopback origins and allowed
 * origins have access.
 */
export async function answerControl(
  mock: InnerMock,
  request: WorldRequest,
  { pace, allowOrigins }: ControlOptions,
): Promise<WorldAnswer> {
  const refused = refusal(request, allowOrigins);
  if (refused !== undefined) return reply({ error: refused }, 403);
  const origin = request.header('origin');
  const cors = { vary: 'Origin', ...(origin !== null && { 'access-control-allow-origin': origin }) };
  const answer = request.method === 'OPTIONS' ? PREFLIGHT : await control(mock, request, pace).catch(complaint);
  return { ...answer, headers: { ...answer.headers, ...cors } };
}

const complaint = (error: unknown) => reply({ error: error instanceof Error ? error.message : String(error) }, 400);

async function control(mock: InnerMock, request: WorldRequest, pace: Pace): Promise<WorldAnswer> {
  const { origin, pathname } = new URL(request.url);
  const path = pathname.slice(CONTROL_PATH.length).replace(/\/$/, '');
  const baseUrl = origin + new URL(mock.baseUrl).pathname.replace(/\/$/, '');
  if (path === '') return only('GET', request, () => explain(baseUrl));
  if (path === '/worlds') {
    if (request.method === 'GET') return reply([...new Set(mock.worlds.values())].map(stateOf));
    return only('POST', request, async () => {
      const options = (await inputOf(request)) as WorldOptions;
      check('mock.world', options);
      const time = options.pace === undefined && { pace, ...(pace === 'real' && { start: Date.now() }) };
      const { name, apiKey } = mock.world({ ...time, ...options });
      return reply({ name, apiKey }, 201);
    });
  }
  const [, key, command] = /^\/worlds\/([^/]+)(?:\/([^/]+))?$/.exec(path) ?? [];
  if (key === undefined) {
    return reply({ error: `unknown path ${pathname}; expected one of ${FORMS.join(', ')}` }, 404);
  }
  const world = mock.worlds.get(decodeURIComponent(key));
  if (!world) return reply({ error: `no world has the key ${key}; POST ${CONTROL_PATH}/worlds first` }, 404);
  if (command !== undefined) return drive(world, command, request);
  if (request.method === 'GET') return reply(stateOf(world));
  return only('DELETE', request, () => {
    mock.drop(world);
    return reply({});
  });
}

async function drive(world: InnerWorld, command: string, request: WorldRequest): Promise<WorldAnswer> {
  if (!isCommand(command)) {
    return reply({ error: `unknown command "${command}"; expected one of ${Object.keys(COMMANDS).join(', ')}` }, 404);
  }
  return only('POST', request, async () => {
    const act = COMMANDS[command] as (world: InnerWorld, input: object) => unknown;
    return reply((await act(world, commandInput(command, await inputOf(request)))) ?? {});
  });
}

const FORMS = [
  `GET ${CONTROL_PATH}`,
  `GET ${CONTROL_PATH}/worlds`,
  `POST ${CONTROL_PATH}/worlds`,
  `DELETE ${CONTROL_PATH}/worlds/{key}`,
  `GET ${CONTROL_PATH}/worlds/{key}`,
  `POST ${CONTROL_PATH}/worlds/{key}/{command}`,
];

/** Describes the control plane as plain text. */
function explain(baseUrl: string): WorldAnswer {
  const lines = [
    `This is a Broadsheet mock. It serves the API at ${baseUrl}/public/... and is controlled with JSON:`,
    ...FORMS.map((form) => `  ${form}`),
    'Commands and their fields:',
    ...Object.keys(COMMANDS).map((command) => `  ${command} ${fieldList(command as CommandName)}`.trimEnd()),
    '',
  ];
  const headers = { 'content-type': 'text/plain; charset=utf-8' };
  return { status: 200, headers, body: lines.join('\n') };
}

/** Accepts one method of a path and refuses the others. */
function only<T>(method: string, request: WorldRequest, answer: () => T): T | WorldAnswer {
  if (request.method === method) return answer();
  const { pathname } = new URL(request.url);
  return reply({ error: `${request.method} is not allowed at ${pathname}; send ${method}` }, 405, { allow: method });
}

const isCommand = (word: string): word is CommandName => Object.hasOwn(COMMANDS, word);

async function inputOf(request: WorldRequest): Promise<unknown> {
  const text = utf8.decode(await request.body(Number.POSITIVE_INFINITY));
  try {
    return JSON.parse(text || '{}');
  } catch (cause) {
    throw new SyntaxError(`the body is not JSON: ${(cause as Error).message}`, { cause });
  }
}

const PREFLIGHT: WorldAnswer = {
  status: 204,
  headers: { 'access-control-allow-methods': 'GET, POST, DELETE', 'access-control-allow-headers': '*' },
  body: null,
};

/**
 * Why a request may not control the mock: its origin or host is neither loopback nor allowed. The host is checked
 * because of DNS rebinding: a site may resolve its own name to 127.0.0.1, and its requests then have no foreign origin.
 */
function refusal(request: WorldRequest, allowed: readonly string[]): string | undefined {
  const advice = (origin: string) =>
    `Only loopback origins and hosts control the mock; allow another with --allow-origin ${origin}`;
  const [origin, host] = [request.header('origin'), request.header('host')];
  if (origin !== null && !allowed.includes(origin) && !isLoopback(origin)) {
    return `The origin ${origin} may not control this mock. ${advice(origin === 'null' ? 'ORIGIN' : origin)}.`;
  }
  const hosts = allowed.map((one) => new URL(one).host);
  if (host !== null && !hosts.includes(host) && !isLoopback(`http://${host}`)) {
    return `The mock may not be controlled through the host ${host}. ${advice(`http://${host}`)}.`;
  }
  return undefined;
}

function isLoopback(origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { hostname } = new URL(origin);
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
