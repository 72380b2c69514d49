import { withoutTrailingSlashes } from '@broadsheet/contract';
import { type ImagePath, mediaPath, OutcomeUnknown, type StoredImage, StoreUnavailable } from '@broadsheet/core';
import { isThisMachine } from '../commands/server-url.ts';
import { OperationError, type OperationErrorCode, type OperationProblem } from '../operations/operation-error.ts';
import { NO_RESPONSE, NoResponse, repeatIfLost } from './repeat-if-lost.ts';
import { NUMBER_HEADER } from './request-number.ts';

export type ManagementClient = ReturnType<typeof createManagementClient>;

/** The body of a response of a management endpoint. */
interface Envelope {
  readonly result?: unknown;
  readonly error?: {
    readonly name: string;
    readonly message: string;
    readonly code?: OperationErrorCode;
    readonly problems?: readonly OperationProblem[];
  };
}

/** Whether the URL of a database points to a remote server or deployment. */
export const isRemote = (url: string): boolean => /^https?:\/\//i.test(url);

const SET_TOKEN =
  'set BROADSHEET_ADMIN_TOKEN to a token from "broadsheet tokens create", or on Workers to the secret ADMIN_TOKEN';

/** The maximum number of retries, and the longest wait before each, in seconds. */
const RETRIES = 5;
const LONGEST_WAIT = 10;

const later = (delay: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, delay));

/**
 * Calls the management endpoints of a server or a deployment. A request whose response is lost is repeated with the same
 * number, for which the server runs the command once.
 *
 * @throws OperationError when there is no token, or the token would be sent unencrypted
 */
export function createManagementClient(address: string, token: string | undefined, sleep = later) {
  const url = readAddress(address);
  if (!token) throw new OperationError(`${url} requires a token: ${SET_TOKEN}.`);

  /** Sends a request, and again while it gets a response with one of these statuses. A redirect must not get the token. */
  async function send(path: string, init: RequestInit, again: readonly number[]): Promise<Response> {
    for (let retries = RETRIES; ; retries -= 1) {
      const response = await fetch(url + path, { ...init, redirect: 'manual' }).catch((error: unknown) => {
        throw new StoreUnavailable(`The server cannot be reached, or the connection was lost: ${url}`, {
          cause: error,
        });
      });
      if (!again.includes(response.status) || retries === 0) return response;
      await response.body?.cancel();
      const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
      const wait = Number.isFinite(seconds) ? Math.min(seconds, LONGEST_WAIT) : 1;
      await sleep(wait * 1000);
    }
  }

  async function ask(path: string, init: RequestInit): Promise<unknown> {
    const response = await send(`/manage${path}`, init, [429]);
    const text = await response.text().catch((cause: unknown) => {
      throw new StoreUnavailable(`The connection was lost: ${url}`, { cause });
    });
    const envelope = readEnvelope(text);
    if (NO_RESPONSE.includes(response.status)) {
      throw new NoResponse(`${url}${envelope?.error ? `: ${envelope.error.message}` : ` returned ${response.status}`}`);
    }
    if (envelope?.error) throw toError(url, response.status, envelope.error, envelope.result);
    if (!response.ok || !envelope) throw await strange(url, response);
    return envelope.result;
  }

  function request(path: string, body?: string): Promise<unknown> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const numbered = { ...headers, [NUMBER_HEADER]: crypto.randomUUID() };
    const init = body === undefined ? { headers } : { method: 'POST', headers: numbered, body };
    return repeatIfLost(() => ask(path, init), sleep);
  }

  return {
    /** A stored image, which is public; `undefined` only if the server does not have it. @throws StoreUnavailable */
    async findImage(path: ImagePath): Promise<StoredImage | undefined> {
      const { status, headers, body } = await send(mediaPath(path), {}, [429, 503]);
      if (status === 200 && body) return { ...path, size: Number(headers.get('content-length')), parts: () => body };
      await body?.cancel();
      if (status === 404) return undefined;
      throw new StoreUnavailable(`${url}${mediaPath(path)} returned ${status}: the image cannot be read`);
    },
    /** The ids of all blogs. */
    async listBlogIds(): Promise<readonly string[]> {
      const blogs = await request('');
      if (Array.isArray(blogs)) return blogs.map(String);
      throw new OperationError(`${url} does not look like a Broadsheet server: /manage returned no list of blogs.`);
    },
    /** Runs a command on a blog, or on the server with an empty id. */
    run: (name: string, blog: string, args: object): Promise<unknown> =>
      request(`${blog === '' ? '' : `/blogs/${encodeURIComponent(blog)}`}/${name}`, JSON.stringify(args)),
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
  if (url.protocol === 'http:' && !isThisMachine(url.hostname)) {
    throw new OperationError(
      `${address} would send the token in the clear: write https://. Only URLs of this machine may use http://.`,
    );
  }
  if (/\/(manage|panel)\/?$/.test(url.pathname)) {
    throw new OperationError(`${address} is a page of the server: remove /manage or /panel from the end.`);
  }
  return withoutTrailingSlashes(url.href);
}

function readEnvelope(text: string): Envelope | undefined {
  try {
    const value: unknown = JSON.parse(text);
    // The envelope of the API has an `error` too, but also a `success`.
    return typeof value === 'object' && value !== null && !('success' in value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function toError(url: string, status: number, error: NonNullable<Envelope['error']>, result: unknown): Error {
  const { name, message, problems, code } = error;
  if (problems) return new OperationError(problems, code);
  if (status === 401) return new OperationError(`${url} refuses the token: ${SET_TOKEN}.`);
  if (status === 404) {
    return new OperationError(`${url} does not support this command: update the server. ${message}`, 'NOT_FOUND');
  }
  if (name === 'OutcomeUnknown') return new OutcomeUnknown(`${url}: ${message}`, { result });
  if (name === 'Refused' || name === 'OperationError') return new OperationError(`${url}: ${message}`);
  return new Error(`${url}: ${message}`);
}

/** The error for a response that no management endpoint gives. */
async function strange(url: string, { status, headers }: Response): Promise<Error> {
  const location = headers.get('location');
  if (location !== null) return new OperationError(`${url} redirects to ${location}: use the final URL instead.`);
  if (status >= 500 || status === 429) return new StoreUnavailable(`${url} returned ${status}; try again in a moment`);
  const tooLarge = `${url} returned 413: a proxy limits the size of a request; allow 20 MB for /manage.`;
  if (status === 413) return new OperationError(tooLarge);
  const health = await fetch(`${url}/healthz`, { redirect: 'manual' }).catch(() => undefined);
  const text = (await health?.text().catch(() => undefined)) ?? '';
  if (!health?.ok || !text.includes('"status":"ok"')) {
    return new OperationError(`There is no Broadsheet at ${url}: check the host and the path of the URL.`);
  }
  return new OperationError(
    `Management is disabled at ${url}: on its machine, run "broadsheet tokens create NAME --scope import" for imports, or with another scope that --help lists. A deployment on Workers needs the secret ADMIN_TOKEN, of at least 32 characters ("wrangler secret put ADMIN_TOKEN"). A server without that command is older than this one: update it.`,
  );
}
