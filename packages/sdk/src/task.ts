import { buildPath, type EndpointId } from '@broadsheet/contract';
import { InputError } from './error-kinds.ts';
import type { CallOptions } from './options.ts';
import type { Settings } from './settings.ts';

/** One call of the API, before it is a request. */
export interface Task {
  readonly id: EndpointId;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
  readonly options: CallOptions;
  /** Of the client's own, such as those of a visitor that are passed on. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The error of a call that is refused before the network. */
export function refuse(id: EndpointId | undefined, message: string, cause?: unknown): InputError {
  return new InputError(message, { code: 'INVALID_INPUT', phase: 'input', endpoint: id, cause });
}

/** The whole address of a call. One string: ky builds further Requests for everything that is given apart. */
export function urlOf(settings: Settings, { id, params, query }: Task): string {
  let url: string;
  try {
    url = settings.base + buildPath(id, params);
  } catch (cause) {
    throw refuse(id, cause instanceof Error ? cause.message : String(cause), cause);
  }
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) if (value !== undefined) search.set(name, String(value));
  return search.size > 0 ? `${url}?${search}` : url;
}

/** The headers of a call. The key is written last, so that nothing replaces it. */
export function headersOf(settings: Settings, { id, options, body, headers }: Task): Headers {
  const all = { accept: 'application/json', ...settings.options.headers, ...options.headers, ...headers };
  try {
    const result = new Headers(all);
    if (body !== undefined) result.set('content-type', 'application/json');
    result.set('x-api-key', settings.apiKey);
    return result;
  } catch {
    // The runtime's own message quotes the value.
    throw refuse(id, `${id}: one of the headers ${Object.keys(all).join(', ')} cannot be sent: check its characters.`);
  }
}
