/**
 * Verifies webhooks of a Broadsheet server in any runtime with WebCrypto. They follow
 * [Standard Webhooks](https://www.standardwebhooks.com).
 *
 * @example
 * ```ts
 * import { unwrap } from '@broadsheet/sdk/webhooks';
 *
 * export async function POST(request: Request): Promise<Response> {
 *   const { type, data } = await unwrap(request, process.env.BROADSHEET_WEBHOOK_SECRET);
 *   console.log(type, data.tags);
 *   return new Response(null, { status: 204 });
 * }
 * ```
 *
 * @module
 */
import { signedContent, WEBHOOK_HEADERS, WEBHOOK_TOLERANCE, type WebhookEvent } from '@broadsheet/contract';
import { type RawBody, readBody } from './body.ts';
import { isSigned, readSecrets, type Secret } from './signature.ts';
import { WebhookError } from './webhook-error.ts';

export type { WebhookEvent, WebhookType } from '@broadsheet/contract';
export type { RawBody } from './body.ts';
export { WebhookError, type WebhookErrorCode } from './webhook-error.ts';

/** An event and the `webhook-id` of its message, which is the same when a message arrives twice. */
export type ReceivedEvent = WebhookEvent & { readonly id: string };

/** The headers of a request: `Headers`, or those of Node and Express. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Verifies a webhook and returns its event. Pass a `Request` whose body was not read before; or, in Node, the request as
 * the body, its headers and the secret. JSON that was parsed has lost the bytes that were signed. The time of the request
 * may differ from the clock by five minutes, so a recorded request cannot be sent again later.
 *
 * @param secret the secret that `broadsheet hooks add` printed (`whsec_…`); during a rotation, both secrets. One that is
 * undefined or null is ignored, as long as there is another.
 * @throws WebhookError for a request that is not authentic, and for a secret that is missing, damaged or shorter than 24
 * bytes
 *
 * @example
 * ```ts
 * const { data } = await unwrap(request, [process.env.WEBHOOK_SECRET, process.env.OLD_WEBHOOK_SECRET]);
 * for (const tag of data.tags) revalidateTag(tag, 'max');
 *
 * createServer(async (request, response) => {
 *   const { id, type } = await unwrap(request, request.headers, process.env.WEBHOOK_SECRET);
 *   response.writeHead(204).end();
 * });
 * ```
 */
export async function unwrap(request: Request, secret: Secret | readonly Secret[]): Promise<ReceivedEvent>;
export async function unwrap(
  body: RawBody,
  headers: WebhookHeaders,
  secret: Secret | readonly Secret[],
): Promise<ReceivedEvent>;
export async function unwrap(
  message: Request | RawBody,
  ...given: [secret: Secret | readonly Secret[]] | [headers: WebhookHeaders, secret: Secret | readonly Secret[]]
): Promise<ReceivedEvent> {
  const [headers, secret] = given.length === 2 ? given : [headersOf(message), given[0]];
  const keys = readSecrets(secret);
  const [id, timestamp, signature] = [WEBHOOK_HEADERS.id, WEBHOOK_HEADERS.timestamp, WEBHOOK_HEADERS.signature].map(
    (name) => (isHeaders(headers) ? headers.get(name) : headers[name]?.toString()),
  );
  if (!id || !timestamp || !signature) {
    const names = Object.values(WEBHOOK_HEADERS).join(', ');
    throw new WebhookError('HEADERS_MISSING', `A webhook has the headers ${names}; this request lacks one of them.`);
  }
  const age = Date.now() / 1000 - Number(timestamp);
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(age) > WEBHOOK_TOLERANCE) {
    const why = 'The time of the request differs by more than five minutes.';
    const advice = 'Check the clock of this machine; otherwise the request is a copy of an earlier one.';
    throw new WebhookError('TIMESTAMP_OUT_OF_RANGE', `${why} ${advice}`);
  }
  const body = await readBody(message);
  const signed = new TextEncoder().encode(signedContent(id, timestamp, body));
  if (!(await isSigned(signed, signature, keys))) {
    const advice = 'Check that the secret is that of this webhook, and that nothing changed the body on its way.';
    throw new WebhookError('SIGNATURE_INVALID', `No signature of the request matches this secret. ${advice}`);
  }
  return { ...readEvent(body), id };
}

const isHeaders = (headers: WebhookHeaders): headers is Headers => typeof headers.get === 'function';

/** @throws TypeError for anything but a `Request` */
function headersOf(message: Request | RawBody): WebhookHeaders {
  if (typeof message === 'object' && 'headers' in message && isHeaders(message.headers)) return message.headers;
  throw new TypeError('unwrap: expected a Request and the secret, or the raw body, the headers and the secret.');
}

/** The event in a body. A type that a newer server sends is returned as well. */
function readEvent(body: string): WebhookEvent {
  try {
    const event = JSON.parse(body) as WebhookEvent;
    if (typeof event.type === 'string' && Array.isArray(event.data.tags)) return event;
  } catch (cause) {
    throw new WebhookError('BODY_INVALID', 'The body is not the JSON of an event.', cause);
  }
  throw new WebhookError('BODY_INVALID', 'The body has no type or no tags: another program sent it.');
}
