import { buildPath, type EndpointId as ContractId, ENDPOINTS, type Endpoint } from '@broadsheet/contract';
import { describe, refuse } from '../check-options.ts';
import type { EndpointId } from '../endpoint-id.ts';
import type { CallOptions } from '../options.ts';
import { plainHeaders, type Settings } from '../settings.ts';

/** The endpoint of a call: a row of the table, or the one that `blog.request()` creates. */
export interface Target extends Pick<Endpoint, 'form' | 'effect' | 'pagination'> {
  readonly method: string;
  readonly path: string;
}

/** The arguments of one call of the API. */
export interface Task {
  readonly id: EndpointId;
  /** Default: the row of the table. */
  readonly endpoint?: Target;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
  readonly options: CallOptions;
  /** Aborts the call, as the signals of the options do. */
  readonly signal?: AbortSignal | undefined;
  /** Headers that the client adds, such as those of a visitor. They are read after the options are checked. */
  readonly headers?: () => Readonly<Record<string, string>>;
}

export const targetOf = ({ id, endpoint }: Task): Target => endpoint ?? ENDPOINTS[id as ContractId];

/** The whole URL of a call. */
export function urlOf(settings: Settings, task: Task): string {
  const { id, query = {} } = task;
  let url = settings.base + pathOf(task);
  let separator = '?';
  for (const [name, value] of Object.entries(query)) {
    if (typeof value !== 'number') needText(id, name, value);
    // Numbers need no encoding, and most parameters are numbers.
    url += separator + (typeof value === 'number' ? `${name}=${value}` : new URLSearchParams({ [name]: value }));
    separator = '&';
  }
  return url;
}

function pathOf(task: Task): string {
  const { id, params } = task;
  if (!params) return targetOf(task).path;
  for (const [name, value] of Object.entries(params)) needText(id, name, value);
  try {
    return buildPath(id as ContractId, params);
  } catch (cause) {
    const why = cause instanceof RangeError ? cause.message : `${id}: an id or slug contains a lone surrogate`;
    throw refuse(id, `${why}: pass it as the API gave it.`);
  }
}

/** Without this check, plain JavaScript could send the string `undefined`. */
function needText(id: EndpointId, name: string, value: unknown): void {
  if (typeof value !== 'string') throw refuse(id, `${id}: ${name} is ${describe(value)}: give a string.`);
}

/** The body of a call as JSON. */
export function bodyOf({ id, body }: Task): string | undefined {
  try {
    return body === undefined ? undefined : JSON.stringify(body);
  } catch (cause) {
    throw refuse(id, `${id}: the body cannot be sent as JSON: ${(cause as Error).message}`);
  }
}

/** The headers of a call, with names in lower case. The key is last, so that nothing replaces it. */
export function headersOf(settings: Settings, { id, options, body, headers }: Task): Readonly<Record<string, string>> {
  const own = { ...plainHeaders(settings.options.headers), ...plainHeaders(options.headers), ...headers?.() };
  const names = Object.keys(own);
  let sent = own;
  try {
    if (names.length > 0) sent = Object.fromEntries(new Headers(own));
  } catch {
    // The message of the runtime would quote the value.
    throw refuse(id, `${id}: one of the headers ${names.join(', ')} cannot be sent: check its characters.`);
  }
  const type: Readonly<Record<string, string>> = body === undefined ? {} : { 'content-type': 'application/json' };
  return { accept: 'application/json', ...sent, ...type, 'x-api-key': settings.apiKey };
}
