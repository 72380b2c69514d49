import { buildPath, type EndpointId as ContractId, ENDPOINTS, type Endpoint } from '@broadsheet/contract';
import { describe, refuse } from '../check-options.ts';
import type { EndpointId } from '../endpoint-id.ts';
import type { CallOptions } from '../options.ts';
import { plainHeaders, type Settings } from '../settings.ts';

/** What is called: a row of the table, or what `blog.request()` makes for itself. */
export interface Target extends Pick<Endpoint, 'form' | 'effect' | 'pagination'> {
  readonly method: string;
  readonly path: string;
}

/** One call of the API, before it is a request. */
export interface Task {
  readonly id: EndpointId;
  /** Unless it is the row of the table. */
  readonly endpoint?: Target;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
  readonly options: CallOptions;
  /** Aborts the call, besides those of the options. */
  readonly signal?: AbortSignal | undefined;
  /** Of the client's own, such as those of a visitor that are passed on; read once the options are checked. */
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

/** Plain JavaScript would send the word `undefined`, and get an answer to it. */
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

/** The headers of a call, by names in lower case. The key is written last, so that nothing replaces it. */
export function headersOf(settings: Settings, { id, options, body, headers }: Task): Readonly<Record<string, string>> {
  const own = { ...plainHeaders(settings.options.headers), ...plainHeaders(options.headers), ...headers?.() };
  const names = Object.keys(own);
  let sent = own;
  try {
    if (names.length > 0) sent = Object.fromEntries(new Headers(own));
  } catch {
    // The runtime's own message quotes the value.
    throw refuse(id, `${id}: one of the headers ${names.join(', ')} cannot be sent: check its characters.`);
  }
  const type: Readonly<Record<string, string>> = body === undefined ? {} : { 'content-type': 'application/json' };
  return { accept: 'application/json', ...sent, ...type, 'x-api-key': settings.apiKey };
}
