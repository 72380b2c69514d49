import type { InputError } from '../errors/error-kinds.ts';
import type { Core } from '../on-demand-core.ts';
import type { CallOptions } from '../options.ts';
import type { Task } from './outgoing.ts';

/** Options of `blog.request()`. */
export interface RequestOptions extends CallOptions {
  /** Parameters of the URL; one that is `undefined` is left out. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
  /**
   * Sent as JSON: plain objects, arrays and primitive values, and objects with `toJSON`, such as dates. `FormData`,
   * `URLSearchParams`, `Blob` and bytes are sent as they are, with the content type that `fetch` gives them.
   */
  readonly body?: unknown;
}

/** The request of `blog.request()`. */
export function requestTask(
  core: Core,
  method: string,
  path: string,
  { query = {}, body }: RequestOptions = {},
): Partial<Task> {
  const wrong = (why: string): InputError => core.inputError('request', why);
  const { messageOf, mustBe } = core;
  if (!/^(GET|POST|PUT|PATCH|DELETE)$/.test(method))
    throw wrong(mustBe('the method', 'GET, POST, PUT, PATCH or DELETE', method));
  // The key must not be sent to another path or origin, to which a URL parser might resolve the path.
  if (!/^\/(?!\/)[^?#\\\s]*$/.test(path) || /(^|\/)(\.|%2e){1,2}(\/|$)/i.test(path))
    throw wrong(mustBe('the path', 'a path below baseUrl, such as /public/posts, without a query', path));
  if (method === 'GET' && body !== undefined) throw wrong('a GET has no body: pass { query }');
  const isRaw = isSentAsIs(body);
  let texts: Record<string, string>;
  try {
    texts = Object.fromEntries(Object.entries(query).flatMap((entry) => readParameter(core, entry)));
    if (!isRaw) needJson(core, body);
  } catch (thrown) {
    throw wrong(messageOf(thrown));
  }
  // The effect of the request is unknown, so anything but a plain read is repeated only if the server cannot have
  // received it.
  const effect = method === 'GET' && !path.startsWith('/public/ads/') ? 'read' : 'delivery';
  return { endpoint: { method, path, form: 'envelope', effect }, query: texts, body, isRaw };
}

function readParameter({ mustBe }: Core, [name, value]: readonly [string, unknown]): (readonly [string, string])[] {
  if (value === undefined) return [];
  if (typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)) return [[name, String(value)]];
  throw new TypeError(mustBe(`query.${name}`, 'a string, a finite number or a boolean', value));
}

/** Whether `fetch` sends a body without JSON. A stream is not among them: it could not be sent again. */
const isSentAsIs = (body: unknown): boolean =>
  [FormData, URLSearchParams, Blob, ArrayBuffer].some((kind) => body instanceof kind) || ArrayBuffer.isView(body);

/** Refuses what `JSON.stringify` would drop, replace or empty, at any depth. */
function needJson({ mustBe }: Core, body: unknown): void {
  const check = (holder: Readonly<Record<string, unknown>>, name: string): void => {
    const value = holder[name];
    const isPlain = typeof value !== 'object' || value === null || 'toJSON' in value || isPlainObject(value);
    const isLost =
      /function|symbol|bigint/.test(typeof value) || (typeof value === 'number' && !Number.isFinite(value));
    const where = name ? `body.${name}` : 'body';
    if (isLost || !isPlain) throw new TypeError(mustBe(where, 'plain JSON, a form, a Blob or bytes', value));
  };
  JSON.stringify(body, function (this: Readonly<Record<string, unknown>>, name, value: unknown) {
    check(this, name);
    return value;
  });
}

/** Whether JSON carries the content of an object. The object may come from another realm, such as a frame. */
function isPlainObject(value: object): boolean {
  const parent = Object.getPrototypeOf(value);
  return Array.isArray(value) || parent === null || Object.getPrototypeOf(parent) === null;
}

/** Reads the post that a token opens, for `blog.preview()`. No error contains the token. */
export function previewTask({ inputError }: Core, token: string): Partial<Task> {
  if (typeof token !== 'string' || !/^[\w.-]+$/.test(token))
    throw inputError('preview', 'the token is missing or damaged: pass the token from a preview link');
  return { headers: { authorization: `Bearer ${token}` }, secret: token };
}
