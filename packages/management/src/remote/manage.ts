import { accept, SnapshotBlog, type SnapshotBlogInput } from '@broadsheet/contract';
import { StoreUnavailable } from '@broadsheet/core';
import { type BinKey, BlogExists, ContentClash } from '@broadsheet/store';
import { reservedId } from '../operations/blog-id.ts';
import { OperationError } from '../operations/operation-error.ts';
import type { LogEntry } from '../people/person.ts';
import type { Grant, Scope } from '../tokens/tokens.ts';
import { isBase64 } from './base64.ts';
import { BLOG_VERBS, type BlogVerbs, COPY_VERBS, type Verb } from './verbs.ts';

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
}

const PATH = /^\/manage(?:\/blogs\/([^/]+))?\/(\w+)$/;
/** The most bytes of a body: an image of 10 MiB as base64. */
const BODY_BYTES = 16 * 1024 * 1024;

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
  const args = await readArgs(request);
  return isBlogVerb(call.verb) ? runChecked({ ...call, args }, host, grant) : host.run({ ...call, args });
}

type VerbPath = Pick<VerbCall, 'blogId' | 'verb'>;

/** @throws Refused when the path names no verb */
function readPath(pathname: string): VerbPath {
  const [, blog, verb = ''] = PATH.exec(pathname) ?? [];
  if (!isVerb(verb)) throw new Refused(404, `There is nothing at ${pathname}.`);
  return { blogId: blog === undefined ? undefined : decode(blog), verb };
}

/** The call of a request that was checked before. */
export async function readCall(request: Request): Promise<VerbCall> {
  return { ...readPath(new URL(request.url).pathname), args: await readArgs(request) };
}

/** Runs a verb of a blog after checking its arguments, and logs what it changed. */
async function runChecked(call: VerbCall, host: ManagementHost, grant: Grant): Promise<Response> {
  const { blogId = '', verb } = call;
  const { log, args: rules } = BLOG_VERBS[verb as keyof BlogVerbs];
  const args = rules.map((rule, index) => {
    const read = accept(rule, call.args[index]);
    // An import distinguishes what a blog leaves out from what it has empty, such as its domains.
    if (read.ok) return rule === SnapshotBlog ? call.args[index] : read.value;
    throw new Refused(400, `Argument ${index + 1}: ${read.fields.map(({ message }) => message).join('; ')}`);
  });
  const [first, second] = args;
  if (verb === 'addImportPart') requireOwnBlog(second as SnapshotBlogInput, blogId, grant);
  if (verb === 'addImage' && !isBase64(first as string)) throw new Refused(400, 'Argument 1: image: must be base64');
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
const restoreScopes = ({ kind }: BinKey) => BLOG_VERBS[kind === 'post' ? 'deletePost' : 'deleteAd'].scopes;

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
  if (call.blogId === undefined || !isBlogVerb(call.verb)) {
    const copy = 'a server is copied by its database, sqlite:PATH or postgres://…';
    throw new Refused(403, `Only the secret ADMIN_TOKEN of a deployment on Workers permits copies; ${copy}.`);
  }
  const { scopes } = BLOG_VERBS[call.verb];
  if (blogId !== null && blogId !== call.blogId) {
    const needed = `${call.blogId} needs one with ${oneOf(scopes)}`;
    throw new Refused(403, `The token ${name} is for the blog ${blogId}: ${needed}.`);
  }
  requireScope(grant, scopes);
  const reserved = reservedId(call.blogId);
  if (reserved !== undefined) throw new Refused(400, reserved);
}

const isVerb = (verb: string): verb is Verb => isBlogVerb(verb) || COPY_VERBS.includes(verb);
const isBlogVerb = (verb: string): verb is keyof BlogVerbs => Object.hasOwn(BLOG_VERBS, verb);

async function readArgs(request: Request): Promise<readonly unknown[]> {
  const body = await readBody(request, BODY_BYTES);
  try {
    const args: unknown = JSON.parse(new TextDecoder().decode(body));
    // JSON has no undefined.
    if (Array.isArray(args)) return args.map((argument) => argument ?? undefined);
  } catch {
    // Answered below.
  }
  throw new Refused(400, 'The body is not a JSON array of arguments.');
}

/** @throws Refused when the body is too large; at most `limit` bytes are held */
async function readBody(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = () => new Refused(413, `The body is larger than ${limit / 1024 / 1024} MiB.`);
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
    if (!blogId.includes('\0')) return blogId;
  } catch {
    // Answered below.
  }
  throw new Refused(400, `${JSON.stringify(blog)} is not a valid id in a URL.`);
}
