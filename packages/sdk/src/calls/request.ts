import { checkOptions, refuse } from '../check-options.ts';
import type { InputError } from '../errors/error-kinds.ts';
import type { CallOptions } from '../options.ts';
import type { Settings } from '../settings.ts';
import type { Task } from './task.ts';

/**
 * Options of `blog.request()`.
 *
 * @example
 * ```ts
 * const options: RequestOptions = { query: { since: '2026-01-01' }, timeout: 2_000 };
 * const data = await blog.request('GET', '/public/archive', options);
 * ```
 */
export interface RequestOptions extends CallOptions {
  /** Parameters of the URL; one that is `undefined` is left out. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
}

/** The task of a request for which the client has no method. */
export function requestTask(
  settings: Settings,
  method: string,
  path: string,
  options: RequestOptions = {},
): [Settings, Task] {
  checkOptions('request', options);
  const { query, body, ...rest } = options;
  const wrong = (message: string): InputError => refuse('request', `request: ${message}`);
  if (!/^(GET|POST|PUT|PATCH|DELETE)$/.test(method))
    throw wrong(`${String(method)} is no method of this kind: GET, POST, PUT, PATCH or DELETE.`);
  // The key must not be sent to another path or origin, into which a URL might resolve the path.
  if (!/^\/(?!\/)[^?#\\\s]*$/.test(path) || /(^|\/)(\.|%2e){1,2}(\/|$)/i.test(path))
    throw wrong(
      `${JSON.stringify(path)} is no path: write it from baseUrl on, such as /public/posts, and parameters as { query }.`,
    );
  if (method === 'GET' && body !== undefined) throw wrong('a GET has no body: pass { query }.');
  const texts = Object.entries(query ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as const],
  );
  // Its effect is unknown: anything but a plain read is repeated only if the server cannot have received it.
  const effect = method === 'GET' && !path.startsWith('/public/ads/') ? 'read' : 'delivery';
  const endpoint = { method, path, form: 'envelope', effect } as const;
  return [settings, { id: 'request', endpoint, query: Object.fromEntries(texts), body, options: rest }];
}
