import { Disagreement, show } from './expect.ts';
import type { Target } from './target.ts';

/** A response, read to its end. */
export interface TargetResponse {
  /** Method and path, for messages. */
  readonly request: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** {@link Target.documentOnly} of the target that sent it. */
  readonly documentOnly: boolean;
}

/** The options of a request. By default, the key of the blog under test is sent. */
export interface RequestOptions {
  readonly method?: string;
  /** Another key; `null` for none. */
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON with its content type. */
  readonly json?: unknown;
  /** Sent unchanged. Without one in `headers`, there is no content type. */
  readonly body?: string;
  readonly ip?: string;
}

/** Sends a request to the target and reads the whole response. */
export async function send(target: Target, path: string, options: RequestOptions = {}): Promise<TargetResponse> {
  const { key = target.apiKey, json, ip } = options;
  const headers = new Headers(options.headers);
  if (key !== null) headers.set('X-API-Key', key);
  if (json !== undefined) headers.set('Content-Type', 'application/json');
  const text = json === undefined ? options.body : JSON.stringify(json);
  // Bytes, because `Request` adds a content type to a string.
  const body = text === undefined ? null : new TextEncoder().encode(text);
  const method = options.method ?? (body ? 'POST' : 'GET');
  const request = new Request(target.baseUrl + path, { method, headers, body, redirect: 'manual', cache: 'no-store' });
  const response = await target.fetch(request, ip === undefined ? undefined : { ip });
  // `text()` would strip a byte order mark, which JSON must not begin with (RFC 8259, 8.1).
  const received = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await response.arrayBuffer());
  return {
    request: `${method} ${path.slice(0, 120)}`,
    status: response.status,
    headers: response.headers,
    text: received,
    documentOnly: target.documentOnly ?? false,
  };
}

/** The body as JSON. */
export function json(response: TargetResponse): unknown {
  try {
    return JSON.parse(response.text);
  } catch {
    throw new Disagreement(`${response.request}: ${response.status} is not JSON: ${show(response.text)}`);
  }
}
