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
import {
  signedContent,
  WEBHOOK_HEADERS,
  WEBHOOK_SECRET_PREFIX,
  WEBHOOK_TOLERANCE,
  type WebhookEvent,
} from '@broadsheet/contract';

export type { WebhookEvent, WebhookType } from '@broadsheet/contract';

/** The codes of a {@link WebhookError}, each with the status for the response. */
const STATUSES = {
  SECRET_INVALID: 500,
  HEADERS_MISSING: 400,
  TIMESTAMP_OUT_OF_RANGE: 400,
  SIGNATURE_INVALID: 401,
  BODY_TOO_LARGE: 413,
  BODY_UNREADABLE: 400,
  BODY_INVALID: 400,
} as const;

/**
 * Why a request is not accepted as a webhook. `SECRET_INVALID` is a mistake in the configuration of the receiver; the
 * others are properties of the request.
 *
 * @example
 * ```ts
 * const code: WebhookErrorCode = 'SIGNATURE_INVALID';
 * ```
 */
export type WebhookErrorCode = keyof typeof STATUSES;

/**
 * Thrown by {@link unwrap} for a request that must be ignored. Neither its message nor its cause contains the secret.
 *
 * @example
 * ```ts
 * const event = await unwrap(request, secret).catch((error: unknown) => {
 *   if (error instanceof WebhookError) console.warn(error.code, error.status);
 *   throw error;
 * });
 * ```
 */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  readonly code: WebhookErrorCode;
  /** The status to respond with. The server tries again after any status other than 2xx. */
  readonly status: number;

  constructor(code: WebhookErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
    this.status = STATUSES[code];
  }
}

/** The bytes that are read of a body; the body of an event names what changed and is much shorter. */
const MAX_BODY = 256 * 1024;

/**
 * Verifies a webhook and returns its event. The body must not have been read before. The time of the request may differ
 * from the clock by five minutes, so a recorded request cannot be sent again later.
 *
 * @param secret the secret that `broadsheet hooks add` printed (`whsec_…`); during a rotation, both secrets. One that is
 * undefined is ignored, as long as there is another.
 * @throws WebhookError for a request that is not authentic, and for a secret that is missing or damaged
 *
 * @example
 * ```ts
 * const { data } = await unwrap(request, [process.env.WEBHOOK_SECRET, process.env.OLD_WEBHOOK_SECRET]);
 * for (const tag of data.tags) revalidateTag(tag, { expire: 0 });
 * ```
 */
export async function unwrap(
  request: Request,
  secret: string | undefined | readonly (string | undefined)[],
): Promise<WebhookEvent> {
  const keys = readSecrets(secret);
  const [id, timestamp, signature] = [WEBHOOK_HEADERS.id, WEBHOOK_HEADERS.timestamp, WEBHOOK_HEADERS.signature].map(
    (name) => request.headers.get(name),
  );
  if (!id || !timestamp || !signature) {
    const names = Object.values(WEBHOOK_HEADERS).join(', ');
    throw new WebhookError('HEADERS_MISSING', `A webhook has the headers ${names}; this request lacks one of them.`);
  }
  const age = Date.now() / 1000 - Number(timestamp);
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(age) > WEBHOOK_TOLERANCE) {
    const advice = 'Check the clock of this machine; otherwise the request is a copy of an earlier one.';
    throw new WebhookError(
      'TIMESTAMP_OUT_OF_RANGE',
      `The time of the request differs by more than five minutes. ${advice}`,
    );
  }
  const body = await readBody(request);
  const signed = new TextEncoder().encode(signedContent(id, timestamp, body));
  if (!(await isSigned(signed, signature, keys))) {
    const advice = 'Check that the secret is that of this webhook, and that nothing changed the body on its way.';
    throw new WebhookError('SIGNATURE_INVALID', `No signature of the request matches this secret. ${advice}`);
  }
  return readEvent(body);
}

type Bytes = Uint8Array<ArrayBuffer>;

/** The keys of the secrets that are given. */
function readSecrets(secret: string | undefined | readonly (string | undefined)[]): Bytes[] {
  const given = [secret].flat().filter((one) => one !== undefined && one !== '');
  const keys = given.map((one) => decodeBase64(String(one).trim().replace(WEBHOOK_SECRET_PREFIX, '')));
  if (keys.length > 0 && keys.every((key): key is Bytes => key !== undefined && key.byteLength > 0)) return keys;
  const what = given.length === 0 ? 'The secret of the webhook is missing' : 'A secret of the webhook is damaged';
  throw new WebhookError('SECRET_INVALID', `${what}: pass what "broadsheet hooks add" printed, whsec_ and base64.`);
}

function decodeBase64(text: string): Bytes | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** Whether one of the signatures of a header is by one of the keys. `verify` compares in constant time. */
async function isSigned(signed: Bytes, header: string, keys: readonly Bytes[]): Promise<boolean> {
  const signatures = header
    .split(' ')
    .flatMap((one) => (one.startsWith('v1,') ? (decodeBase64(one.slice(3)) ?? []) : []));
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  for (const bytes of keys) {
    const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify']);
    for (const signature of signatures) if (await crypto.subtle.verify('HMAC', key, signature, signed)) return true;
  }
  return false;
}

/** The body as text, unless it is too large. */
async function readBody(request: Request): Promise<string> {
  if (request.bodyUsed) {
    const advice = 'Pass the request to unwrap before anything reads it, or a clone of it.';
    throw new WebhookError('BODY_UNREADABLE', `The body of the request was already read. ${advice}`);
  }
  // A byte order mark is signed as well.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let size = 0;
  let text = '';
  try {
    const reader = request.body?.getReader();
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      size += part.value.byteLength;
      if (size > MAX_BODY) {
        void reader?.cancel().catch(() => {});
        break;
      }
      text += decoder.decode(part.value, { stream: true });
    }
  } catch (cause) {
    throw new WebhookError('BODY_UNREADABLE', 'The connection closed while the body was read.', cause);
  }
  if (size <= MAX_BODY) return text + decoder.decode();
  throw new WebhookError('BODY_TOO_LARGE', `The body is longer than ${MAX_BODY / 1024} KiB, as no webhook is.`);
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
