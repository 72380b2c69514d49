import { ENDPOINT_IDS, ENDPOINTS, type Endpoint, type EndpointId } from './endpoints.ts';

/** Where a request leads: to an endpoint, to a path with other methods, or nowhere. */
export type Route =
  | { readonly found: 'endpoint'; readonly id: EndpointId; readonly params: Readonly<Record<string, string>> }
  | { readonly found: 'path'; readonly allow: readonly string[] }
  | { readonly found: 'nothing' };

type Segment = { readonly literal: string } | { readonly name: string };

// Pure: a client that only builds paths leaves it out of its bundle.
const templates = /* @__PURE__ */ ENDPOINT_IDS.map((id) => ({
  id,
  segments: ENDPOINTS[id].path.split('/').map(segment),
}));

function segment(text: string): Segment {
  return text.startsWith('{') ? { name: text.slice(1, -1) } : { literal: text };
}

/**
 * The methods a row answers. `HEAD` is `GET` without the body, except where an answer counts an impression:
 * no reader would see the ad.
 */
function methodsOf(endpoint: Endpoint): readonly string[] {
  return endpoint.method === 'GET' && endpoint.effect === 'read' ? ['GET', 'HEAD'] : [endpoint.method];
}

/**
 * Finds the row of the table for a request. `pathname` is as it stands in the URL, still encoded; the params come
 * back encoded too, so that whoever decodes them can say which one was malformed.
 */
export function findRoute(method: string, pathname: string): Route {
  const parts = pathname.split('/');
  const allow: string[] = [];
  for (const { id, segments } of templates) {
    const params = match(segments, parts);
    if (!params) continue;
    const methods = methodsOf(ENDPOINTS[id]);
    if (methods.includes(method)) return { found: 'endpoint', id, params };
    allow.push(...methods);
  }
  return allow.length > 0 ? { found: 'path', allow: [...allow, 'OPTIONS'] } : { found: 'nothing' };
}

function match(segments: readonly Segment[], parts: readonly string[]): Record<string, string> | undefined {
  if (segments.length !== parts.length) return undefined;
  if (!segments.every((segment, index) => ('literal' in segment ? segment.literal === parts[index] : parts[index]))) {
    return undefined;
  }
  const params: Record<string, string> = {};
  segments.forEach((segment, index) => {
    if ('name' in segment) params[segment.name] = parts[index] ?? '';
  });
  return params;
}

/**
 * The path of an endpoint with its parameters in place, each encoded as one segment.
 *
 * @throws RangeError for an empty parameter, `.` or `..`: a URL would resolve them into another path.
 */
export function buildPath(id: EndpointId, params: Readonly<Record<string, string>> = {}): string {
  return ENDPOINTS[id].path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name] ?? '';
    if (value === '' || value === '.' || value === '..') {
      throw new RangeError(`${id}: ${name} is ${JSON.stringify(value)}, which cannot stand in a path`);
    }
    return encodeURIComponent(value);
  });
}
