import { createApi, createMemoryStore } from '@broadsheet/core';
import { systemRandom } from '@broadsheet/http/crypto';
import { keyHash } from '@broadsheet/store/durable';
import { isManagement, manage } from './management/management.ts';
import { blogObjectName, directoryName } from './objects/directory.ts';
import type { Environment } from './objects/environment.ts';

/** Keys whose blog an isolate remembers. */
const MAX_KEYS = 10_000;
/** Bytes of a body that are read whatever becomes of the request. */
const MAX_READ = 1024 * 1024;
/** What the memory of an isolate knows: a key is given to one blog for ever, or until that blog is deleted. */
const blogOfKey = new Map<string, string>();

/** The Worker in front of the objects: leads each request to the object of the blog that its key was given to. */
export const worker = {
  async fetch(request: Request, environment: Environment): Promise<Response> {
    if (isManagement(request)) return manage(request, environment);
    const key = request.headers.get('x-api-key');
    const blogId = key ? await findBlogId(key, environment) : undefined;
    const whole = await withBody(request);
    if (request.method === 'OPTIONS' || blogId === undefined) return answerNobody(whole, environment);
    return environment.BLOGS.getByName(blogObjectName(blogId)).fetch(whole);
  },
};

async function findBlogId(apiKey: string, { BLOGS }: Environment): Promise<string | undefined> {
  const known = blogOfKey.get(apiKey);
  if (known !== undefined) return known;
  const hash = await keyHash(apiKey);
  const blogId = await BLOGS.getByName(directoryName(hash)).findBlogId(hash);
  if (blogId === undefined) return undefined;
  blogOfKey.set(apiKey, blogId);
  if (blogOfKey.size > MAX_KEYS) blogOfKey.delete(blogOfKey.keys().next().value ?? '');
  return blogId;
}

/** A body that is not huge is read before it is answered: the engine ends a connection on which one is left unread. */
async function withBody(request: Request): Promise<Request> {
  const length = Number(request.headers.get('content-length') ?? 0);
  return length > 0 && length <= MAX_READ ? new Request(request, { body: await request.arrayBuffer() }) : request;
}

/** Preflights, and requests whose key nobody was given: the API over a store that has no blogs. */
function answerNobody(request: Request, { DOCS_URL }: Environment): Promise<Response> {
  const api = createApi({
    store: createMemoryStore(),
    clock: Date,
    random: systemRandom,
    hmac: () => '',
    docsUrl: (DOCS_URL ?? new URL(request.url).origin).replace(/\/+$/, ''),
  });
  return api.fetch(request);
}
