import { ENDPOINTS, errorText, withoutTrailingSlashes } from '@broadsheet/contract';
import {
  bearerToken,
  type ClickClaims,
  createApi,
  createMemoryStore,
  fromRequest,
  readClaims,
  readTokens,
  VIEWABLE_PATH,
} from '@broadsheet/core';
import { systemRandom } from '@broadsheet/http/crypto';
import { isManagement } from '@broadsheet/management';
import { sha256Hex } from '@broadsheet/store';
import { manageDeployment } from './management/management.ts';
import { blogObjectName, directoryName, INDEX_NAME } from './objects/directory.ts';
import type { Environment } from './objects/environment.ts';
import { isMedia, respondWithMedia } from './objects/images.ts';

/** The number of keys whose blogs an isolate caches. */
const MAX_KEYS = 10_000;
/** The largest body that is read even if the request is refused, in bytes. */
const MAX_READ = 1024 * 1024;
/** The blog that each key opened last in this isolate; the blog's object decides whether it still does. */
const blogOfKey = new Map<string, string>();
/** The blogs that existed when this isolate received a beacon for them. */
const knownBlogs = new Set<string>();

/** The Worker in front of the objects, which sends each request to the object of the blog that its key opens. */
export const worker = {
  async fetch(request: Request, environment: Environment): Promise<Response> {
    if (isManagement(request)) return manageDeployment(request, environment);
    if (isMedia(request)) return respondWithMedia(request, environment);
    const page = respondWithPage(request);
    if (page) return page;
    const whole = await withBody(request);
    if (new URL(request.url).pathname === VIEWABLE_PATH) return sendBeacon(whole, environment);
    const key = request.headers.get('x-api-key');
    const previewed = previewedBlog(request);
    if (previewed !== undefined) {
      // If there is a key, its blog gets the request, and refuses a token of another blog.
      const blogId = key ? await findBlogId(key, environment) : undefined;
      return sendToBlog(blogId ?? previewed, whole, environment);
    }
    if (request.method === 'OPTIONS' || !key) return respondWithoutBlog(whole, environment);
    const known = blogOfKey.get(key);
    if (known === undefined) return respondToNewKey(key, whole, environment);
    const again = whole.clone();
    const response = await sendToBlog(known, whole, environment);
    if (response.status !== 401) return response;
    // The blog may have been deleted and its key given to another blog.
    blogOfKey.delete(key);
    return respondToNewKey(key, again, environment);
  },
};

/** Handles `/healthz` and the pages of error codes. */
function respondWithPage({ method, url }: Request): Response | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  const { pathname } = new URL(url);
  if (pathname === '/healthz') return Response.json({ status: 'ok' }, { headers: { 'cache-control': 'no-store' } });
  const [errors, code] = /^\/errors(?:\/([^/]+))?$/.exec(pathname) ?? [];
  const text = errors === undefined ? undefined : errorText(code);
  const headers = { 'content-type': 'text/plain; charset=utf-8' };
  return text === undefined ? undefined : new Response(`${text}\n`, { headers });
}

/** The blog that the preview token of a request names; its object decides whether the token is valid. */
function previewedBlog(request: Request): string | undefined {
  if (new URL(request.url).pathname !== ENDPOINTS.preview.path) return undefined;
  const claims = readClaims(bearerToken(fromRequest(request)) ?? '') as { readonly blog?: unknown } | null | undefined;
  return typeof claims?.blog === 'string' ? claims.blog : undefined;
}

/** Handles a request whose key is not cached. */
async function respondToNewKey(key: string, request: Request, environment: Environment): Promise<Response> {
  const blogId = await findBlogId(key, environment);
  if (blogId === undefined) return respondWithoutBlog(request, environment);
  const response = await sendToBlog(blogId, request, environment);
  if (response.status === 401) return response;
  blogOfKey.set(key, blogId);
  if (blogOfKey.size > MAX_KEYS) blogOfKey.delete(blogOfKey.keys().next().value ?? '');
  return response;
}

async function findBlogId(key: string, { BLOGS }: Environment): Promise<string | undefined> {
  const hash = await sha256Hex(key);
  return BLOGS.getByName(directoryName(hash)).findBlogId(hash);
}

/** Sends a beacon, which needs no key, to the objects of the blogs that its tokens name; each counts its own. */
async function sendBeacon(request: Request, environment: Environment): Promise<Response> {
  const tokens = await readTokens(fromRequest(request.clone()));
  const named = tokens.map((token) => (readClaims(token) as Partial<ClickClaims> | undefined)?.blog);
  for (const blogId of new Set(named)) {
    // No object must be created for a blog that does not exist.
    const exists = typeof blogId === 'string' && (await isBlog(blogId, environment));
    if (exists) await environment.BLOGS.getByName(blogObjectName(blogId)).fetch(request.clone());
  }
  return respondWithoutBlog(request, environment);
}

/** Whether there is a blog with this id, cached while the isolate lives. */
async function isBlog(blogId: string, { BLOGS }: Environment): Promise<boolean> {
  if (knownBlogs.has(blogId)) return true;
  const exists = await BLOGS.getByName(INDEX_NAME).hasBlog(blogId);
  if (exists) knownBlogs.add(blogId);
  return exists;
}

const sendToBlog = (blogId: string, request: Request, { BLOGS }: Environment): Promise<Response> =>
  BLOGS.getByName(blogObjectName(blogId)).fetch(request);

/** Reads a body of moderate size before responding: workerd closes a connection whose request body was not read. */
async function withBody(request: Request): Promise<Request> {
  const length = Number(request.headers.get('content-length') ?? 0);
  return length > 0 && length <= MAX_READ ? new Request(request, { body: await request.arrayBuffer() }) : request;
}

/** Handles preflights and requests without a valid key: the API over an empty store. */
function respondWithoutBlog(request: Request, { DOCS_URL }: Environment): Promise<Response> {
  const api = createApi({
    store: createMemoryStore(),
    clock: Date,
    random: systemRandom,
    hmac: () => '',
    docsUrl: withoutTrailingSlashes(DOCS_URL ?? new URL(request.url).origin),
  });
  return api.fetch(request);
}
