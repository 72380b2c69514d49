import { inputError, mustBe } from '../check-options.ts';
import type { InputError } from '../errors/error-kinds.ts';
import type { CallOptions } from '../options.ts';
import type { Task } from './outgoing.ts';

/** Options of `blog.request()`. */
export interface RequestOptions extends CallOptions {
  /** Parameters of the URL; one that is `undefined` is left out. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
}

/** The request of `blog.request()`. */
export function requestTask(method: string, path: string, { query = {}, body }: RequestOptions = {}): Partial<Task> {
  const wrong = (why: string): InputError => inputError('request', why);
  if (!/^(GET|POST|PUT|PATCH|DELETE)$/.test(method))
    throw wrong(mustBe('the method', 'GET, POST, PUT, PATCH or DELETE', method));
  // The key must not be sent to another path or origin, to which a URL parser might resolve the path.
  if (!/^\/(?!\/)[^?#\\\s]*$/.test(path) || /(^|\/)(\.|%2e){1,2}(\/|$)/i.test(path))
    throw wrong(mustBe('the path', 'a path below baseUrl, such as /public/posts, without a query', path));
  if (method === 'GET' && body !== undefined) throw wrong('a GET has no body: pass { query }');
  const texts = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as const],
  );
  // The effect of the request is unknown, so anything but a plain read is repeated only if the server cannot have
  // received it.
  const effect = method === 'GET' && !path.startsWith('/public/ads/') ? 'read' : 'delivery';
  return { endpoint: { method, path, form: 'envelope', effect }, query: Object.fromEntries(texts), body };
}

/** Reads the post that a token opens, for `blog.preview()`. No error contains the token. */
export function previewTask(token: string): Partial<Task> {
  if (typeof token !== 'string' || !/^[\w.-]+$/.test(token))
    throw inputError('preview', 'the token is missing or damaged: pass the token from a preview link');
  return { headers: { authorization: `Bearer ${token}` }, secret: token };
}
