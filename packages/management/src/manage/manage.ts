import { LIMITS } from '@broadsheet/contract';
import { fromRequest, OutcomeUnknown, StoreUnavailable } from '@broadsheet/core';
import type { Actor, Command, CommandTable } from '../commands/command.ts';
import { type CommandCall, requirePermission } from '../commands/run-command.ts';
import { isId } from '../operations/blogs.ts';
import { OperationError } from '../operations/operation-error.ts';
import { createBodyBudget } from './body-budget.ts';
import { readNumber } from './request-number.ts';

/** The functions that the endpoints of `/manage` need from a server or a deployment. */
export interface ManagementHost {
  readonly commands: CommandTable;
  /** The sender of a token, if it is valid now. */
  findToken(token: string): Promise<Actor | undefined>;
  listBlogIds(): Promise<readonly string[]>;
  /**
   * Runs a command and responds with {@link commandResponse}.
   *
   * @param client aborted when nobody waits for the response any longer
   * @param verify verifies the sender again, for a command that had to wait
   */
  run(call: CommandCall, client: AbortSignal, verify: () => Promise<Actor>): Promise<Response>;
  /** Reports an error that the sender cannot fix. */
  report(error: unknown): void;
}

const PATH = /^\/manage(?:\/blogs\/([^/]+))?\/([^/]+)$/;
/** The maximum number of bytes of arguments, unless the row of the command has another. */
const BODY_BYTES = 64 * 1024;
/** The maximum number of bytes that the requests of a token hold at the same time: four images and some more. */
const HELD_BYTES = 64 * 1024 * 1024;

/** Whether a request is for management and not for the API. */
export function isManagement(request: Request): boolean {
  const { pathname } = new URL(request.url);
  return pathname === '/manage' || pathname.startsWith('/manage/');
}

/**
 * The endpoints of management, the same on Node and on Workers. `GET /manage` lists the ids of the blogs.
 * `POST /manage/blogs/BLOG/GROUP.COMMAND` runs a command on a blog with a JSON object of its arguments, and
 * `POST /manage/GROUP.COMMAND` one on the server itself. A request with an `Idempotency-Key` may be repeated: the command
 * runs once, and each repeat within an hour gets its result. The token is verified again after the body has been read,
 * because it may have been revoked in the meantime.
 */
export async function manage(request: Request, host: ManagementHost): Promise<Response> {
  let actor: Actor | undefined;
  const token = /^Bearer (\S+)$/.exec(request.headers.get('authorization') ?? '')?.[1];
  const verify = async () => {
    actor = token === undefined ? undefined : await host.findToken(token);
    if (!actor) throw new Refused(401, 'The management token is missing, wrong, expired or revoked.');
    return actor;
  };
  try {
    const { name: sender, blogId } = await verify();
    const { pathname } = new URL(request.url);
    const call = pathname === '/manage' ? undefined : readPath(pathname, host.commands);
    requireMethod(request, call ? 'POST' : 'GET');
    if (!call) {
      const ids = await host.listBlogIds();
      return json({ result: ids.filter((id) => blogId === null || id === blogId) });
    }
    const { row, ...rest } = call;
    return await holding(sender, request, row.bodyBytes ?? BODY_BYTES, async (body) => {
      const args = parseArguments(body);
      const once = await readNumber(request, body).catch((error: Error) => {
        throw new Refused(400, error.message);
      });
      const sentBy = { ...rest, once, actor: await verify() };
      requirePermission(sentBy, row);
      return host.run({ ...sentBy, args }, request.signal, verify);
    });
  } catch (error) {
    const response = errorResponse(error);
    if (response) return response;
    host.report(error);
    return statusResponse(500, actor?.isOperator ? String(error) : 'The server failed; its log has the reason.');
  }
}

const takeBody = createBodyBudget(HELD_BYTES);

/** Works with the body of a request. @throws Refused when the body is too large, or its sender has too many */
async function holding<T>(
  sender: string,
  request: Request,
  limit: number,
  work: (body: Uint8Array) => Promise<T>,
): Promise<T> {
  const declared = request.headers.get('content-length');
  const release = takeBody(sender, declared === null ? limit : Math.min(Number(declared), limit));
  if (!release) {
    throw new Refused(429, 'This token sends too much at the same time. Wait for the responses to its other requests.');
  }
  try {
    return await work(await readBody(request, limit));
  } finally {
    release();
  }
}

/** @throws Refused when the path names no command */
export function readPath(
  pathname: string,
  commands: CommandTable,
): { readonly name: string; readonly blog: string; readonly row: Command } {
  const [, blog, name = ''] = PATH.exec(pathname) ?? [];
  const row = Object.hasOwn(commands, name) ? commands[name] : undefined;
  const isMisplaced = row?.on !== 'blog or server' && (row?.on === 'server') !== (blog === undefined);
  if (!row || isMisplaced) throw new Refused(404, `There is nothing at ${pathname}.`);
  return { name, blog: blog === undefined ? '' : decode(blog), row };
}

/** @throws Refused */
function requireMethod({ method, url }: Request, allowed: 'GET' | 'POST'): void {
  if (method === allowed) return;
  throw new Refused(405, `${method} is not allowed for ${new URL(url).pathname}; use ${allowed}.`);
}

function parseArguments(body: Uint8Array): unknown {
  try {
    const args: unknown = body.length === 0 ? {} : JSON.parse(new TextDecoder().decode(body));
    if (typeof args === 'object' && args !== null && !Array.isArray(args)) return args;
  } catch {
    // Reported below.
  }
  throw new Refused(400, 'The body is not a JSON object of arguments, such as { "key": "62af8704764f" }.');
}

/** @throws Refused when the body is too large or does not end; at most `limit` bytes are held */
async function readBody(request: Request, limit: number): Promise<Uint8Array> {
  const body = await fromRequest(request).body(limit).catch(refuseUnfinished);
  if (body) return body;
  throw new Refused(413, `The body is larger than ${limit.toLocaleString('en')} bytes.`);
}

function refuseUnfinished(): never {
  throw new Refused(400, 'The request ended before its body was complete.');
}

/** The result of a command as a response, or an error that its sender can fix. @throws any other error */
export async function commandResponse(work: () => Promise<unknown>): Promise<Response> {
  try {
    return json({ result: await work() });
  } catch (error) {
    const response = errorResponse(error);
    if (response) return response;
    throw error;
  }
}

const STATUS = { INVALID: 400, FORBIDDEN: 403, NOT_FOUND: 404, CONFLICT: 409, ALREADY_SENT: 409 } as const;

/** The response to an error that the sender can fix, or of a database that is away. */
function errorResponse(error: unknown): Response | undefined {
  if (error instanceof Refused) return statusResponse(error.status, error.message);
  if (error instanceof StoreUnavailable)
    return statusResponse(503, 'The database cannot be reached. Try again in a moment.');
  if (error instanceof OutcomeUnknown) {
    const { name, message, result } = error;
    return json({ error: { name, message }, result }, 500);
  }
  if (!(error instanceof OperationError)) return undefined;
  const { name, code, message, problems } = error;
  return json({ error: { name, code, message, problems } }, STATUS[code]);
}

/** A request that gets a response with this status. */
class Refused extends Error {
  override readonly name = 'Refused';
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

function statusResponse(status: number, message: string): Response {
  const response = json({ error: { name: 'Refused', message } }, status);
  if (status === 401) response.headers.set('www-authenticate', 'Bearer');
  if (status === 429 || status === 503) response.headers.set('retry-after', '1');
  return response;
}

function json(body: object, status = 200): Response {
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  return new Response(JSON.stringify(body), { status, headers });
}

function decode(blog: string): string {
  try {
    const blogId = decodeURIComponent(blog);
    if (isId(blogId)) return blogId;
  } catch {
    // Reported below.
  }
  throw new Refused(400, `${JSON.stringify(blog.slice(0, LIMITS.id.max))} is not a valid id in a URL.`);
}
