import { ENDPOINT_IDS, ENDPOINTS, type EndpointId } from './endpoints.ts';

/** The target of a request: an endpoint, a path with other methods, or nothing. */
export type Route =
  | { readonly found: 'endpoint'; readonly id: EndpointId; readonly params: Readonly<Record<string, string>> }
  | { readonly found: 'path'; readonly allow: readonly string[] }
  | { readonly found: 'nothing' };

/**
 * `HEAD` is `GET` without the body, except where a response counts an impression, because no reader would see the ad.
 * Marked as pure, so that the bundle of a client that only builds paths does not contain it.
 */
const templates = /* @__PURE__ */ ENDPOINT_IDS.map((id) => {
  const { method, effect, path } = ENDPOINTS[id];
  return {
    id,
    pattern: new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
    methods: method === 'GET' && effect === 'read' ? ['GET', 'HEAD'] : [method],
  };
});

/**
 * Finds the row of the table for a request. `pathname` is still encoded, as in the URL. The params are returned encoded
 * too, so that the code that decodes them can report which one is malformed.
 */
export function findRoute(method: string, pathname: string): Route {
  const allow: string[] = [];
  for (const { id, pattern, methods } of templates) {
    const match = pattern.exec(pathname);
    if (!match) continue;
    if (methods.includes(method)) return { found: 'endpoint', id, params: { ...match.groups } };
    allow.push(...methods);
  }
  return allow.length > 0 ? { found: 'path', allow: [...allow, 'OPTIONS'] } : { found: 'nothing' };
}

/** A URL without the slashes at its end. */
export const withoutTrailingSlashes = (url: string): string => url.replace(/(?<!\/)\/+$/, '');

/**
 * The path of an endpoint with its parameters in place, each encoded as one segment.
 *
 * @throws RangeError for an empty parameter, `.` or `..`: a URL would resolve them into another path.
 */
export function buildPath(id: EndpointId, params: Readonly<Record<string, string>> = {}): string {
  return ENDPOINTS[id].path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name] ?? '';
    if (value === '' || value === '.' || value === '..') {
      throw new RangeError(`${name} is ${JSON.stringify(value)}, which cannot be part of a path`);
    }
    return encodeURIComponent(value);
  });
}
