import { type ImagePath, mediaPath, type StoredImage, StoreUnavailable } from '@broadsheet/core';
import { BlogExists, type Clash, ContentClash } from '@broadsheet/store';
import { OperationError } from '../operations/operation-error.ts';
import type { Verb, Verbs } from './verbs.ts';

export type ManagementClient = ReturnType<typeof createManagementClient>;

/** An answer of a management endpoint. */
interface Answer {
  readonly result?: unknown;
  readonly error?: { readonly name: string; readonly message: string; readonly clashes?: readonly Clash[] };
}

/** Whether the URL of a database is that of a remote server or deployment. */
export const isRemote = (url: string): boolean => /^https?:\/\//i.test(url);

const SET_TOKEN =
  'set BROADSHEET_ADMIN_TOKEN to a token from "broadsheet tokens create", or on Workers to the secret ADMIN_TOKEN';

/** The maximum number of retries after 429, and the longest wait before each, in seconds. */
const RETRIES = 5;
const LONGEST_WAIT = 10;

/** The arguments of a verb after the id of the blog. */
type Args<V extends Verb> = Verbs[V] extends (blogId: string, ...args: infer Rest) => unknown ? Rest : never;

/**
 * Calls the management endpoints of a server or a deployment.
 *
 * @throws OperationError when there is no token, or the token would be sent unencrypted
 */
export function createManagementClient(address: string, token: string | undefined) {
  const url = readAddress(address);
  if (!token) throw new OperationError(`${url} requires a token: ${SET_TOKEN}.`);

  async function send(path: string, body: string | undefined, retries = RETRIES): Promise<Response> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const init = body === undefined ? { headers } : { method: 'POST', headers, body };
    // A redirect must not send the token to another URL.
    const response = await fetch(`${url}/manage${path}`, { ...init, redirect: 'manual' }).catch((error: unknown) => {
      throw new StoreUnavailable(`The server cannot be reached, or the connection was lost: ${url}`, { cause: error });
    });
    if (response.status !== 429 || retries === 0) return response;
    const seconds = Math.min(Number(response.headers.get('retry-after')) || 1, LONGEST_WAIT);
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    return send(path, body, retries - 1);
  }

  async function request(path: string, body?: string): Promise<unknown> {
    const response = await send(path, body);
    const text = await response.text();
    const answer = readAnswer(text);
    if (answer?.error) throw toError(url, response.status, answer.error);
    if (!response.ok || !answer) throw await strange(url, response);
    return answer.result;
  }

  return {
    /** A stored image, which is public. */
    async findImage(path: ImagePath): Promise<StoredImage | undefined> {
      const { status, headers, body } = await fetch(url + mediaPath(path), { redirect: 'manual' });
      if (status !== 200 || !body) return undefined;
      return { ...path, size: Number(headers.get('content-length')), parts: () => body };
    },
    /** The ids of all blogs. */
    async listBlogIds(): Promise<readonly string[]> {
      const blogs = await request('');
      if (Array.isArray(blogs)) return blogs.map(String);
      throw new OperationError(`${url} does not look like a Broadsheet server: /manage returned no list of blogs.`);
    },
    /** Runs a verb on a blog, or a step of a copy on the deployment itself. */
    call<V extends Verb>(blogId: string | undefined, verb: V, ...args: Args<V>) {
      const path = `${blogId === undefined ? '' : `/blogs/${encodeURIComponent(blogId)}`}/${verb}`;
      // Both ends have the same verbs.
      return request(path, JSON.stringify(args)) as ReturnType<Verbs[V]>;
    },
  };
}

/** The URL without a trailing slash. @throws OperationError */
function readAddress(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url)
    throw new OperationError(`${JSON.stringify(address)} is not a URL: expected one such as https://blog.example.`);
  if (url.username || url.password || url.search || url.hash) {
    throw new OperationError(
      `The URL of a server has no user, query or fragment: use https://HOST or https://HOST/PATH, and ${SET_TOKEN}.`,
    );
  }
  if (url.protocol === 'http:' && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)) {
    throw new OperationError(
      `${address} would send the token in the clear: write https://. Only URLs of this machine may use http://.`,
    );
  }
  if (/\/(manage|panel)\/?$/.test(url.pathname)) {
    throw new OperationError(`${address} is a page of the server: remove /manage or /panel from the end.`);
  }
  return url.href.replace(/\/+$/, '');
}

function readAnswer(text: string): Answer | undefined {
  try {
    const value: unknown = JSON.parse(text);
    // The envelope of the API has an `error` too, but also a `success`.
    return typeof value === 'object' && value !== null && !('success' in value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function toError(url: string, status: number, { name, message, clashes = [] }: NonNullable<Answer['error']>): Error {
  if (status === 401) return new OperationError(`${url} refuses the token: ${SET_TOKEN}.`);
  if (status === 404) return new OperationError(`${url} does not know this command: update the server. ${message}`);
  if (status === 503) return new StoreUnavailable(`${url}: ${message}`);
  if (name === 'ContentClash') return new ContentClash(clashes);
  if (name === 'BlogExists') return new BlogExists(message);
  if (name === 'Refused' || name === 'OperationError') return new OperationError(`${url}: ${message}`);
  return new Error(`${url}: ${message}`);
}

/** The error for an answer that no management endpoint gives. */
async function strange(url: string, { status, headers }: Response): Promise<Error> {
  const location = headers.get('location');
  if (location !== null) return new OperationError(`${url} redirects to ${location}: use the final URL instead.`);
  if (status >= 500 || status === 429) return new StoreUnavailable(`${url} answered ${status}; try again in a moment`);
  const tooLarge = `${url} answered 413: a proxy limits the size of a request; allow 20 MB for /manage.`;
  if (status === 413) return new OperationError(tooLarge);
  const health = await fetch(`${url}/healthz`, { redirect: 'manual' }).catch(() => undefined);
  const text = (await health?.text().catch(() => undefined)) ?? '';
  if (!health?.ok || !text.includes('"status":"ok"')) {
    return new OperationError(`There is no Broadsheet at ${url}: check the host and the path of the URL.`);
  }
  return new OperationError(
    `Management is disabled at ${url}: on its machine, run "broadsheet tokens create NAME --scope all". A deployment on Workers needs the secret ADMIN_TOKEN, of at least 32 characters ("wrangler secret put ADMIN_TOKEN"). A server without that command is older than this one: update it.`,
  );
}
