import { accept, SnapshotBlog, type SnapshotBlogInput } from '@broadsheet/contract';
import { StoreUnavailable } from '@broadsheet/core';
import { type BinKey, BlogExists, ContentClash } from '@broadsheet/store';
import { reservedId } from '../operations/blog-id.ts';
import { OperationError } from '../operations/operation-error.ts';
import type { LogEntry } from '../people/person.ts';
import type { Grant, Scope } from '../tokens/tokens.ts';
import { BLOG_VERBS, COPY_VERBS, ROWS, TOKEN_VERBS, type Verb } from './verbs.ts';

/** A verb with its arguments; without a blog, it concerns the deployment itself. */
export interface VerbCall {
  readonly blogId: string | undefined;
  readonly verb: Verb;
  readonly args: readonly unknown[];
}

/** What the endpoints of `/manage` need from a server or a deployment. */
export interface ManagementHost {
  /** What a token permits, if it is valid now. */
  findToken(token: string): Promise<Grant | undefined>;
  listBlogIds(): Promise<readonly string[]>;
  /** Runs a verb and answers by {@link answerVerb}. */
  run(call: VerbCall): Promise<Response>;
  writeLog(entry: LogEntry): Promise<void>;
  /** Reports an error that the sender cannot fix. */
  report(error: unknown): void;
  /** The maximum number of bytes of arguments other than an image, if the rows of the store are limited. */
  readonly maxBytes?: number;
}

const PATH = /^\/manage(?:\/blogs\/([^/]+))?\/(\w+)$/;
/** The maximum number of bytes of a body: an image of 10 MiB as base64. */
const BODY_BYTES = 16 * 1024 * 1024;
/** The maximum number of levels of arguments: a part of an import has six. */
const DEPTH = 16;
/** The maximum number of characters of the id of a blog. */
const ID_LENGTH = 500;
const VERBS = { ...BLOG_VERBS, ...COPY_VERBS, ...TOKEN_VERBS };

/** Whether a request is for management and not for the API. */
export function isManagement(request: Request): boolean {
  const { pathname } = new URL(request.url);
  return pathname === '/manage' || pathname.startsWith('/manage/');
}

/**
 * The endpoints of management, the same on Node and on Workers. `GET /manage` lists the ids of the blogs.
 * `POST /manage/blogs/BLOG/VERB` runs a verb of a blog with the JSON array of its arguments, and `POST /manage/VERB`
 * runs a step of a copy on the rows of the deployment itself. A body is read only after the token is verified.
 */
export async function manage(request: Request, host: ManagementHost): Promise<Response> {
  let grant: Grant | undefined;
  try {
    const token = /^Bearer (\S+)$/.exec(request.headers.get('authorization') ?? '')?.[1];
    grant = token === undefined ? undefined : await host.findToken(token);
    if (!grant) return refuse(401, 'The management token is missing, wrong, expired or revoked.');
    return await answer(request, host, grant);
  } catch (error) {
    if (error instanceof Refused) return refuse(error.status, error.message);
    if (error instanceof StoreUnavailable) return refuse(503, 'The database cannot be reached. Try again in a moment.');
    host.report(error);
    return refuse(500, grant?.isSecret ? String(error) : 'The server failed; its log has the reason.');
  }
}

async function answer(request: Request, host: ManagementHost, grant: Grant): Promise<Response> {
  const { pathname } = new URL(request.url);
  const isList = pathname === '/manage';
  const call = isList ? undefined : readPath(pathname);
  const allowed = isList ? 'GET' : 'POST';
  if (request.method !== allowed) {
    throw new Refused(405, `${request.method} is not a method of ${pathname}; use ${allowed}.`);
  }
  if (!call) {
    const ids = await host.listBlogIds();
    return json({ result: ids.filter((id) => grant.blogId === null || id === grant.blogId) });
  }
  requireGrant(grant, call);
  const limit = call.verb === 'addImage' ? BODY_BYTES : host.maxBytes;
  return runChecked({ ...call, args: await readArgs(request, limit) }, host, grant);
}

type VerbPath = Pick<VerbCall, 'blogId' | 'verb'>;

/** @throws Refused when the path names no verb */
function readPath(pathname: string): VerbPath {
  const [, blog, verb = ''] = PATH.exec(pathname) ?? [];
  // A step of a copy concerns a blog, or the deployment itself.
  const isOf = (verbs: object) => Object.hasOwn(verbs, verb);
  const isKnown = isOf(COPY_VERBS) || isOf(blog === undefined ? TOKEN_VERBS : BLOG_VERBS);
  if (!isKnown) throw new Refused(404, `There is nothing at ${pathname}.`);
  return { blogId: blog === undefined ? undefined : decode(blog), verb: verb as Verb };
}

/** The call of a request that was checked before. */
export async function readCall(request: Request): Promise<VerbCall> {
  return { ...readPath(new URL(request.url).pathname), args: await readArgs(request) };
}

/** Runs a verb after checking its arguments, and logs what it changed. */
async function runChecked(call: VerbCall, host: ManagementHost, grant: Grant): Promise<Response> {
  const { blogId = '', verb } = call;
  const { check, log, args: rules } = VERBS[verb];
  const args = rules.map((rule, index) => {
    const read = accept(rule, call.args[index]);
    // An import distinguishes an omitted field from an empty one, and rows have further columns.
    if (read.ok) return rule === SnapshotBlog || rule === ROWS ? call.args[index] : read.value;
    throw new Refused(400, `Argument ${index + 1}: ${read.fields.map(({ message }) => message).join('; ')}`);
  });
  // The rules have checked the types.
  const wrong = check?.(...(args as never[]));
  if (wrong !== undefined) throw new Refused(400, wrong);
  const [first, second] = args;
  if (verb === 'addImportPart') requireOwnBlog(second as SnapshotBlogInput, blogId, grant);
  if (verb === 'restoreFromBin') requireScope(grant, restoreScopes(first as BinKey));
  const response = await host.run({ ...call, args });
  if (!log || !response.ok) return response;
  const text = await response.text();
  const what = log(args, (JSON.parse(text) as { result?: unknown }).result);
  if (what !== undefined) {
    const entry = { at: new Date().toISOString(), who: `token ${grant.name}`, blogId, what };
    // The change is made, and its response may be the only one that contains a new key.
    await host.writeLog(entry).catch(host.report);
  }
  return json(text);
}

/** A token of one blog must neither write another blog nor find out which keys others have. */
function requireOwnBlog(part: SnapshotBlogInput, blogId: string, { name, scope, blogId: only }: Grant): void {
  const { id, apiKeys = [] } = part;
  if (id !== blogId) throw new Refused(400, `The part belongs to the blog ${id}, but was sent to ${blogId}.`);
  if (apiKeys.length === 0 || (scope === 'all' && only === null)) return;
  throw new Refused(403, `The token ${name} may not import API keys: this needs the scope all for all blogs.`);
}

/** The scopes that permit deleting an item also permit restoring it. */
const restoreScopes = ({ kind }: BinKey) => VERBS[kind === 'post' ? 'deletePost' : 'deleteAd'].scopes;

/** @throws Refused when a token has another scope than these and `all` */
function requireScope({ name, scope, isSecret }: Grant, scopes: readonly Scope[]): void {
  if (isSecret || scope === 'all' || scopes.includes(scope)) return;
  throw new Refused(403, `The token ${name} has the scope ${scope}: this needs ${oneOf(scopes)}.`);
}

const oneOf = (scopes: readonly Scope[]): string => `the scope ${[...scopes, 'all'].join(' or ')}`;

/** @throws Refused when a token does not permit a verb on a blog */
function requireGrant(grant: Grant, call: VerbPath): void {
  const { name, blogId, isSecret } = grant;
  if (isSecret) return;
  if (call.blogId === undefined || !Object.hasOwn(BLOG_VERBS, call.verb)) {
    const own = Object.hasOwn(TOKEN_VERBS, call.verb)
      ? 'the tokens of a server are managed on its machine, with its database'
      : 'a server is copied by its database, sqlite:PATH or postgres://…';
    throw new Refused(403, `Only the secret ADMIN_TOKEN of a deployment on Workers permits this; ${own}.`);
  }
  const { scopes } = VERBS[call.verb];
  if (blogId !== null && blogId !== call.blogId) {
    const needed = `${call.blogId} needs one with ${oneOf(scopes)}`;
    throw new Refused(403, `The token ${name} is for the blog ${blogId}: ${needed}.`);
  }
  requireScope(grant, scopes);
  const reserved = reservedId(call.blogId);
  if (reserved !== undefined) throw new Refused(400, reserved);
}

async function readArgs(request: Request, limit = BODY_BYTES): Promise<readonly unknown[]> {
  const args = parseArgs(new TextDecoder().decode(await readBody(request, limit)));
  const problem = args.map((arg, index) => problemOf(arg, `Argument ${index + 1}`)).find((found) => found);
  if (problem !== undefined) throw new Refused(400, problem);
  return args;
}

function parseArgs(text: string): readonly unknown[] {
  try {
    const args: unknown = JSON.parse(text);
    // JSON has no undefined.
    if (Array.isArray(args)) return args.map((argument) => argument ?? undefined);
  } catch {
    // Answered below.
  }
  throw new Refused(400, 'The body is not a JSON array of arguments.');
}

/** Why a value cannot be stored or is nested too deeply, or `undefined`. */
function problemOf(value: unknown, at: string, levels = DEPTH): string | undefined {
  if (typeof value === 'string') {
    const isStorable = value.isWellFormed() && !value.includes('\0');
    return isStorable ? undefined : `${at}: contains U+0000 or a lone surrogate, which cannot be stored`;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if (levels === 0) return `${at}: is nested more than ${DEPTH} levels deep`;
  for (const [key, child] of Object.entries(value)) {
    const problem = problemOf(child, `${at}.${key}`, levels - 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** @throws Refused when the body is too large; at most `limit` bytes are held */
async function readBody(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = () => new Refused(413, `The body is larger than ${limit.toLocaleString('en')} bytes.`);
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw tooLarge();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    size += part.value.length;
    if (size > limit) throw tooLarge();
    chunks.push(part.value);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

/** The result of a verb as a response, or an error that its sender can fix. @throws any other error */
export async function answerVerb(work: () => Promise<unknown>): Promise<Response> {
  try {
    return json({ result: await work() });
  } catch (error) {
    if (!(error instanceof OperationError || error instanceof ContentClash || error instanceof BlogExists)) throw error;
    const { name, message, ...more } = error;
    return json({ error: { name, message, ...more } }, 422);
  }
}

/** A request that is answered with this status. */
class Refused extends Error {
  override readonly name = 'Refused';
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

function refuse(status: number, message: string): Response {
  const response = json({ error: { name: 'Refused', message } }, status);
  if (status === 401) response.headers.set('www-authenticate', 'Bearer');
  if (status === 503) response.headers.set('retry-after', '1');
  return response;
}

/** @param body a value, or JSON */
function json(body: object | string, status = 200): Response {
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers });
}

function decode(blog: string): string {
  try {
    const blogId = decodeURIComponent(blog);
    if (!blogId.includes('\0') && blogId.length <= ID_LENGTH) return blogId;
  } catch {
    // Answered below.
  }
  throw new Refused(400, `${JSON.stringify(blog.slice(0, ID_LENGTH))} is not a valid id in a URL.`);
}
