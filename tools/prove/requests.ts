import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';

/** A response, read to its end. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

export interface SendOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeout?: number;
}

/** Milliseconds after which a client gives up on a request. */
const PATIENCE = 12_000;

/** Somebody with an IP address of their own on this machine. */
export class Visitor {
  readonly address: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 4 });

  constructor(number: number) {
    this.address = `127.${1 + ((number >> 16) % 250)}.${(number >> 8) & 255}.${1 + ((number & 255) % 254)}`;
  }

  /** Sends a request. It rejects if the response does not arrive to its end. */
  async send(
    url: string,
    { method = 'GET', headers = {}, body, timeout = PATIENCE }: SendOptions = {},
  ): Promise<Reply> {
    const signal = AbortSignal.timeout(timeout);
    const sent = request(url, {
      ...{ method, signal, localAddress: this.address, agent: this.#agent },
      headers: {
        ...{
          'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/150.0',
          'cf-connecting-ip': this.address,
          ...headers,
        },
        ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
      },
    }).end(body);
    const [incoming]: IncomingMessage[] = await once(sent, 'response', { signal });
    if (!incoming) throw new Error('The request has no response.');
    const fields = Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)]);
    return { status: incoming.statusCode ?? 0, headers: new Headers(fields), body: await text(incoming) };
  }

  /** The same as `fetch`, for clients that take one. */
  readonly fetch: typeof fetch = async (input, init) => {
    const asked = new Request(input, init);
    const body = asked.method === 'GET' ? undefined : await asked.text();
    const {
      status,
      headers,
      body: received,
    } = await this.send(asked.url, {
      ...{ method: asked.method, headers: Object.fromEntries(asked.headers) },
      ...(body !== undefined && { body }),
    });
    return new Response([204, 304].includes(status) ? null : received, { status, headers });
  };

  /** Closes its connections. */
  leave(): void {
    this.#agent.destroy();
  }
}

/** An error of the API, as its envelope says. */
export interface ApiFailure {
  readonly code: string;
  readonly retryable: boolean;
}

/** The error in a body, or `undefined` if the API did not write it. */
export function failureOf(body: string): ApiFailure | undefined {
  try {
    const value = JSON.parse(body) as { success?: unknown; error?: ApiFailure } | null;
    return value?.success === false ? value.error : undefined;
  } catch {
    return undefined;
  }
}
