import type { WorldRequest, WorldResponse } from '../doors/response.ts';
import type { Pace } from '../time/clock.ts';
import type { InnerMock, ListenOptions } from '../worlds/mock.ts';
import type { World, WorldOptions } from '../worlds/world.ts';
import { MEMBERS } from './members.ts';

/** The path of the control plane, next to the API. */
export const CONTROL_PATH = '/__mock';

const utf8 = new TextDecoder();
const reply = (body: unknown, status = 200): WorldResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body ?? null),
});
const errorReply = (status: number, error: string) => reply({ error }, status);

/**
 * Handles the control plane, which is the interface of a world over HTTP: `POST /__mock/worlds/{key}/{method}` with its
 * arguments as a JSON list. Only loopback origins and allowed origins have access.
 */
export async function handleControl(
  mock: InnerMock,
  request: WorldRequest,
  { pace, allowOrigins }: Required<Pick<ListenOptions, 'pace' | 'allowOrigins'>>,
): Promise<WorldResponse> {
  const refused = refusal(request, allowOrigins);
  if (refused !== undefined) return errorReply(403, refused);
  const origin = request.header('origin');
  const cors = { vary: 'Origin', ...(origin !== null && { 'access-control-allow-origin': origin }) };
  const response =
    request.method === 'OPTIONS'
      ? PREFLIGHT
      : await control(mock, request, pace).catch((error: Error) => errorReply(400, error.message));
  return { ...response, headers: { ...response.headers, ...cors } };
}

async function control(mock: InnerMock, request: WorldRequest, pace: Pace): Promise<WorldResponse> {
  const { origin, pathname } = new URL(request.url);
  const { method } = request;
  const path = pathname.slice(CONTROL_PATH.length).replace(/\/$/, '');
  if (path === '' && method === 'GET') return explain(origin + mock.basePath);
  if (path === '/worlds' && method === 'GET') return reply([...new Set(mock.worlds.values())].map(summaryOf));
  if (path === '/worlds' && method === 'POST') return create(mock, pace, await inputOf(request));
  const [, key, name, member] = /^\/worlds\/([^/]+)(?:\/([^/]+))?(?:\/([^/]+))?$/.exec(path) ?? [];
  if (key === undefined || method !== (name === undefined ? 'DELETE' : 'POST')) {
    return errorReply(404, `there is no ${method} ${pathname}; GET ${CONTROL_PATH} lists the methods and paths`);
  }
  const world = mock.worlds.get(decodeURIComponent(key))?.world;
  if (!world) return errorReply(404, `no world has the key ${key}; POST ${CONTROL_PATH}/worlds first`);
  if (name !== undefined) return call(world, [name, member], await inputOf(request));
  mock.drop(world);
  return reply(null);
}

function create(mock: InnerMock, pace: Pace, input: unknown = {}): WorldResponse {
  const options = input as WorldOptions;
  const time = options?.pace === undefined && { pace, ...(pace === 'real' && { start: Date.now() }) };
  const { name, apiKey, webhookSecret } = mock.world(
    options?.constructor === Object ? { ...time, ...options } : options,
  );
  return reply({ name, apiKey, webhookSecret }, 201);
}

const summaryOf = ({ world: { name, apiKey, clock, journal, unfinished } }: { readonly world: World }) => {
  return { name, apiKey, now: clock.now(), calls: journal.length, unfinished: unfinished() };
};

/** The faults and gates of each world that were set over HTTP. */
const handles = new WeakMap<World, Map<string, object>>();

/** Calls a method, or reads a value, of a world or of its clock, a fault or a gate. */
async function call(
  world: World,
  [name, member = name]: [string, string | undefined],
  args: unknown = [],
): Promise<WorldResponse> {
  const own = handles.get(world) ?? new Map<string, object>();
  handles.set(world, own);
  const objects: Readonly<Record<string, object>> = { ...Object.fromEntries(own), clock: world.clock };
  const target = member === name ? world : objects[name];
  if (!target) return errorReply(404, `there is no ${name}; the world has ${Object.keys(objects).join(', ')}`);
  const members = MEMBERS[target === world ? 'world' : (name.replace(/-\d+$/, '') as keyof typeof MEMBERS)];
  const kind = Object.hasOwn(members, member) ? members[member] : undefined;
  if (!kind) return errorReply(404, `unknown method "${member}"; expected one of ${Object.keys(members).join(', ')}`);
  if (!Array.isArray(args))
    throw new TypeError(`${member}: expected a list of arguments; received ${JSON.stringify(args)}`);
  const value: unknown = Reflect.get(target, member);
  // JSON has no undefined.
  const given = args.map((argument: unknown) => argument ?? undefined);
  const result: unknown = typeof value === 'function' ? await value.apply(target, given) : value;
  if (result instanceof Request) return reply(await partsOf(result));
  if (kind !== 'fault' && kind !== 'gate') return reply(result);
  const handle = `${kind}-${own.size + 1}`;
  own.set(handle, result as object);
  return reply({ handle });
}

const partsOf = async (request: Request) => ({
  url: request.url,
  method: request.method,
  headers: Object.fromEntries(request.headers),
  body: await request.text(),
});

/** Describes the control plane as plain text. */
function explain(baseUrl: string): WorldResponse {
  const text = `This is a Broadsheet mock. It serves the API at ${baseUrl}/public/... and is controlled with JSON:
  GET    ${CONTROL_PATH}
  GET    ${CONTROL_PATH}/worlds
  POST   ${CONTROL_PATH}/worlds
  DELETE ${CONTROL_PATH}/worlds/{key}
  POST   ${CONTROL_PATH}/worlds/{key}/{method}
  POST   ${CONTROL_PATH}/worlds/{key}/{object}/{method}
The body is the list of arguments that the method of a World takes, such as ["posts.list", 503, { "times": 1 }]. A method that
sets a fault or a gate returns its handle, which is the {object} of later calls. Methods and values:
${Object.entries(MEMBERS)
  .map(([type, members]) => `  ${type}: ${Object.keys(members).join(', ')}\n`)
  .join('')}`;
  return { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: text };
}

/** The JSON of the body; `undefined` without a body. */
async function inputOf(request: WorldRequest): Promise<unknown> {
  const text = utf8.decode(await request.body(Number.POSITIVE_INFINITY));
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch (cause) {
    throw new SyntaxError(`the body is not JSON: ${(cause as Error).message}`, { cause });
  }
}

const PREFLIGHT: WorldResponse = {
  status: 204,
  headers: { 'access-control-allow-methods': 'GET, POST, DELETE', 'access-control-allow-headers': '*' },
  body: null,
};

/**
 * Why a request must not control the mock: its origin or host is neither loopback nor allowed. The host is checked
 * because of DNS rebinding: a site may resolve its own name to 127.0.0.1, and its requests then have no foreign origin.
 */
function refusal(request: WorldRequest, allowed: readonly string[]): string | undefined {
  const advice = (origin: string) =>
    `Only loopback origins and hosts control the mock; allow another with --allow-origin ${origin}`;
  const [origin, host] = [request.header('origin'), request.header('host')];
  if (origin !== null && !allowed.includes(origin) && !isLoopback(origin)) {
    return `The origin ${origin} is not allowed to control this mock. ${advice(origin === 'null' ? 'ORIGIN' : origin)}.`;
  }
  const hosts = allowed.map((one) => new URL(one).host);
  if (host !== null && !hosts.includes(host) && !isLoopback(`http://${host}`)) {
    return `The mock cannot be controlled through the host ${host}. ${advice(`http://${host}`)}.`;
  }
  return undefined;
}

function isLoopback(origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(origin).hostname);
}
