import { type ImagePath, mediaPath, type StoredImage, StoreUnavailable } from '@broadsheet/core';
import { BlogExists, type Clash, ContentClash } from '@broadsheet/store';
import { OperationError } from '../operations/operation-error.ts';
import type { Verbs } from './verbs.ts';

export type ManagementClient = ReturnType<typeof createManagementClient>;

/** An answer of a management endpoint. */
interface Answer {
  readonly result?: unknown;
  readonly error?: { readonly name: string; readonly message: string; readonly clashes?: readonly Clash[] };
}

/** Whether the URL of a database is that of a deployment. */
export const isDeployment = (url: string): boolean => /^https?:\/\//i.test(url);

const SET_TOKEN = 'set BROADSHEET_ADMIN_TOKEN to the secret ADMIN_TOKEN of the deployment';

/**
 * Calls the management endpoints of a deployment.
 *
 * @throws OperationError when there is no token, or the token would be sent unencrypted
 */
export function createManagementClient(address: string, token: string | undefined) {
  const url = readAddress(address);
  if (!token) throw new OperationError(`${url} is a deployment, which asks for a token: ${SET_TOKEN}.`);

  async function request(path: string, body?: string): Promise<unknown> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const init = body === undefined ? { headers } : { method: 'POST', headers, body };
    // A redirect must not send the token to another URL.
    const response = await fetch(`${url}/manage${path}`, { ...init, redirect: 'manual' }).catch((error: unknown) => {
      throw new StoreUnavailable(`The deployment cannot be reached: ${url}`, { cause: error });
    });
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
      throw new OperationError(
        `What answers at ${url}/manage does not look like a Broadsheet server: it returned no list of blogs.`,
      );
    },
    /** Runs a verb on a blog, or on the deployment itself. */
    call<V extends keyof Verbs>(blogId: string | undefined, verb: V, ...args: Parameters<Verbs[V]>) {
      const path = `${blogId === undefined ? '' : `/${encodeURIComponent(blogId)}`}/${verb}`;
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
      `The URL of a deployment has no user, query or fragment: use https://HOST or https://HOST/PATH, and ${SET_TOKEN}.`,
    );
  }
  if (url.protocol === 'http:' && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)) {
    throw new OperationError(
      `${address} would send the token in the clear: write https://. Only URLs of this machine may use http://.`,
    );
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
  if (name === 'ContentClash') return new ContentClash(clashes);
  if (name === 'BlogExists') return new BlogExists(message);
  if (name === 'Refused') return new OperationError(`${url}: ${message}`);
  return new Error(`${url}: ${message}`);
}

/** The error for an answer that no management endpoint gives. */
async function strange(url: string, { status, headers }: Response): Promise<Error> {
  const location = headers.get('location');
  if (location !== null) return new OperationError(`${url} redirects to ${location}: use the final URL instead.`);
  if (status >= 500) return new StoreUnavailable(`${url} answered ${status}; try again in a moment`);
  const api = await fetch(`${url}/public/posts`, { redirect: 'manual' }).catch(() => undefined);
  const text = (await api?.text().catch(() => undefined)) ?? '';
  if (api?.status !== 401 || !text.includes('"UNAUTHORIZED"')) {
    return new OperationError(`There is no Broadsheet at ${url}: check the URL.`);
  }
  return new OperationError(
    `Management is disabled at ${url}: set the secret ADMIN_TOKEN, of at least 32 characters ("wrangler secret put ADMIN_TOKEN"). A server is managed by its database, sqlite:PATH or postgres://….`,
  );
}
