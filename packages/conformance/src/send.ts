import { Disagreement, show } from './expect.ts';
import type { Target } from './target.ts';

/** What came back. */
export interface Answer {
  /** Method and path, for messages. */
  readonly request: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** {@link Target.documentOnly} of the target that gave it. */
  readonly documentOnly: boolean;
}

/** A request in its essentials; the key of the blog under test goes along by default. */
export interface RequestOptions {
  readonly method?: string;
  /** Another key; `null` for none. */
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON with its content type. */
  readonly json?: unknown;
  /** Sent as it is, with no content type but that of `headers`. */
  readonly body?: string;
  readonly ip?: string;
}

/** Sends a request to the target and reads the answer to its end. */
export async function send(target: Target, path: string, options: RequestOptions = {}): Promise<Answer> {
  const { key = target.apiKey, json, ip } = options;
  const headers = new Headers(options.headers);
  if (key !== null) headers.set('X-API-Key', key);
  if (json !== undefined) headers.set('Content-Type', 'application/json');
  const text = json === undefined ? options.body : JSON.stringify(json);
  // Bytes, because a string would bring a content type of its own.
  const body = text === undefined ? null : new TextEncoder().encode(text);
  const method = options.method ?? (body ? 'POST' : 'GET');
  const request = new Request(target.baseUrl + path, { method, headers, body, redirect: 'manual', cache: 'no-store' });
  const response = await target.fetch(request, ip === undefined ? undefined : { ip });
  // `text()` would take away a byte order mark, which JSON must not begin with (RFC 8259, 8.1).
  const received = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await response.arrayBuffer());
  const answer = { status: response.status, headers: response.headers, text: received };
  const { documentOnly = false } = target;
  return { request: `${method} ${path.slice(0, 120)}`, ...answer, documentOnly };
}

/** The body as JSON. */
export function json(answer: Answer): unknown {
  try {
    return JSON.parse(answer.text);
  } catch {
    throw new Disagreement(`${answer.request}: ${answer.status} is not JSON: ${show(answer.text)}`);
  }
}
