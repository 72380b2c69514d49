import { buildPath, type EndpointId as ContractId, ENDPOINTS, type Endpoint, tagsOfRead } from '@broadsheet/contract';
import type { KnownToken } from '../ads/known-tokens.ts';
import type { ResponseCache } from '../cache/response-cache.ts';
import { checkOptions, inputError, mustBe, setOf } from '../check-options.ts';
import type { EndpointId } from '../endpoint-id.ts';
import { messageOf } from '../errors/errors.ts';
import { createRedact } from '../errors/redact.ts';
import type { CallOptions, FetchOptions } from '../options.ts';
import type { Middleware } from '../request/middleware.ts';
import type { Incoming } from '../response/incoming.ts';
import { type Defaults, forRuntime, joinHeaders, type Settings } from '../settings.ts';
import { createReport, type Report } from './report-event.ts';

/** The endpoint of a call: a row of the table, or the one that `blog.request()` creates. */
export interface CallTarget extends Pick<Endpoint, 'form' | 'effect' | 'pagination'> {
  readonly method: string;
  readonly path: string;
}

/** The arguments of one call of the API. */
export interface Task {
  readonly id: EndpointId;
  /** Default: the row of the table. */
  readonly endpoint?: CallTarget;
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, string | number>> | undefined;
  readonly body?: unknown;
  /** Whether `fetch` sends the body as it is. Default: as JSON. */
  readonly isRaw?: boolean;
  readonly options?: CallOptions | undefined;
  /** Aborts the call, as the signals of the options do. */
  readonly signal?: AbortSignal | undefined;
  /** Headers that the client adds. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Provides missing values with code that is loaded on demand. It is called once the options are checked. */
  readonly rest?: (() => Promise<Partial<Task>>) | undefined;
  /** The secrets that no error may contain, besides the API key. */
  readonly secret?: string;
  /** When the idempotency key of a delivery was made, in milliseconds since the epoch. */
  readonly keyedAt?: number;
  /** Whether the request outlives the page. */
  readonly keepalive?: boolean;
  /** The token of a click. */
  readonly token?: KnownToken;
  /** Identifies the call, if equal calls share a request, however long the request takes. */
  readonly sharedAs?: string;
  /** Whether it renews a cached response. The cached response is then not used. */
  readonly isRenewal?: boolean;
  /** A cached response that is used because the request failed. */
  readonly old?: Incoming;
}

/** The request of a call, with its options. */
export interface Outgoing {
  readonly settings: Settings;
  readonly task: Task;
  readonly id: EndpointId;
  readonly endpoint: CallTarget;
  readonly url: string;
  /** With names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: BodyInit | undefined;
  /** The options of the call, which take precedence over those of the client. */
  readonly options: CallOptions & Defaults;
  readonly fetchOptions: FetchOptions;
  readonly middleware: readonly Middleware[];
  /** The signals that abort the call. */
  readonly signals: readonly AbortSignal[];
  readonly timeout: number | false;
  /** When the time of the call is over, by `performance.now()`. */
  readonly until: number;
  readonly report: Report | undefined;
  /** The cache, if the call may use it. */
  readonly cache: ResponseCache | undefined;
  /** Calls with the same key share a request. */
  readonly sharedAs: string | undefined;
}

/**
 * Prepares the request of a call.
 *
 * @throws InputError for arguments that cannot be sent.
 */
export function prepare(settings: Settings, task: Task): Outgoing {
  const { id, body, options: own = {}, secret } = task;
  if (task.options !== undefined) checkOptions(id, own);
  const { options: client } = settings;
  const options = task.options ? { ...client, ...setOf(own) } : client;
  const endpoint = task.endpoint ?? ENDPOINTS[id as ContractId];
  // Neither ads nor drafts may be stored.
  const isRead = endpoint.effect === 'read' && id !== 'preview';
  const url = urlOf(settings, endpoint, task);
  const { timeout, onEvent, logger } = options;
  // An option that changes the request may also change the response.
  const isOwn = own.headers || own.fetchOptions || own.fetch || own.middleware || own.maxBodyBytes !== undefined;
  const isShareable = isRead && !isOwn && id !== 'request';
  const cache = isShareable ? client.cache : undefined;
  const isShared = isShareable && client.dedupe !== false && !task.isRenewal;
  // A renewal outlives the call that found the stale response.
  const callers = task.isRenewal ? [client.signal] : [client.signal, own.signal, task.signal];
  const signals: AbortSignal[] = [];
  for (const signal of callers) if (signal) signals.push(signal);
  const hide = secret && createRedact(secret);
  return {
    // No error of the call contains the secret.
    settings: hide ? { ...settings, redact: (text) => settings.redact(hide(text)) } : settings,
    task,
    id,
    endpoint,
    url,
    headers: own.headers || task.headers || body !== undefined ? headersOf(settings, task) : settings.headers,
    body: bodyOf(task),
    options,
    fetchOptions:
      isRead && !own.fetchOptions && !client.nextTags ? settings.fetchOptions : fetchOptionsOf(settings, task, isRead),
    middleware: own.middleware ? [...settings.middleware, ...own.middleware] : settings.middleware,
    signals,
    timeout,
    until: timeout === false ? Number.POSITIVE_INFINITY : performance.now() + timeout,
    report: onEvent || logger ? createReport({ endpoint: id, method: endpoint.method, url }, options) : undefined,
    cache,
    sharedAs: task.sharedAs ?? (isShared ? `${url} ${cache?.generation}` : undefined),
  };
}

function bodyOf({ id, body, isRaw }: Task): BodyInit | undefined {
  if (body === undefined || isRaw) return body as BodyInit | undefined;
  try {
    return JSON.stringify(body);
  } catch (thrown) {
    throw inputError(id, `the body cannot be sent as JSON: ${messageOf(thrown)}`);
  }
}

function urlOf(settings: Settings, { path }: CallTarget, { id, params, query = {} }: Task): string {
  let url = settings.base + (params ? pathOf(id as ContractId, params) : path);
  let separator = '?';
  for (const name of Object.keys(query)) {
    const value = query[name];
    if (typeof value !== 'number') needText(id, name, value);
    // Most parameters are numbers, which need no encoding.
    url += separator + (typeof value === 'number' ? `${name}=${value}` : new URLSearchParams({ [name]: value }));
    separator = '&';
  }
  return url;
}

function pathOf(id: ContractId, params: Readonly<Record<string, string>>): string {
  for (const [name, value] of Object.entries(params)) needText(id, name, value);
  try {
    return buildPath(id, params);
  } catch (cause) {
    const why = cause instanceof RangeError ? cause.message : 'an id or slug contains a lone surrogate';
    throw inputError(id, `${why}: pass it as the API returned it`);
  }
}

/** Without this check, plain JavaScript could send the string `undefined`. */
function needText(id: EndpointId, name: string, value: unknown): asserts value is string {
  if (typeof value !== 'string') throw inputError(id, mustBe(name, 'a string', value));
}

/** The headers of a call. The key is last, so that nothing replaces it. */
function headersOf(
  { headers: client, apiKey }: Settings,
  { id, options, body, isRaw, headers }: Task,
): Outgoing['headers'] {
  const type = body === undefined || isRaw ? undefined : { 'content-type': 'application/json' };
  return joinHeaders(id, client, options?.headers, headers, type, { 'x-api-key': apiKey });
}

/** The options of the client and of the call that reach `fetch`. */
function fetchOptionsOf(settings: Settings, { id, params, options, keepalive }: Task, isRead: boolean): FetchOptions {
  const merged: { -readonly [Name in keyof FetchOptions]: FetchOptions[Name] } = {
    ...settings.fetchOptions,
    ...options?.fetchOptions,
  };
  if (isRead) {
    if (settings.options.nextTags)
      merged.next = { ...merged.next, tags: [...(merged.next?.tags ?? []), ...tagsOfRead(id, params)] };
  } else {
    merged.cache = 'no-store';
    if (keepalive !== undefined) merged.keepalive = keepalive;
    delete merged.next;
    delete merged.cf;
  }
  return forRuntime(merged);
}
