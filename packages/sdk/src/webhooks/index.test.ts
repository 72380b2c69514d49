import { Readable } from 'node:stream';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { unwrap, WebhookError } from './index.ts';

const SECRET = `whsec_${btoa('a secret of at least 24 bytes')}`;
const FORMER = `whsec_${btoa('the secret before that, 24 bytes')}`;
const EVENT = {
  type: 'post.published',
  timestamp: '2026-11-23T09:00:00.000Z',
  data: { id: 'p', slug: 'über-tee', revision: 'r1', tags: ['posts', 'post:p'] },
};
const BODY = JSON.stringify(EVENT);
/** The event with the id of its message. */
const RECEIVED = { ...EVENT, id: 'msg_1' };

interface Sent {
  readonly body?: string | ReadableStream;
  readonly signed?: string;
  readonly secrets?: readonly string[];
  /** Seconds since the request was signed. */
  readonly age?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request that was signed by an independent library. */
function requestOf({ body = BODY, signed = BODY, secrets = [SECRET], age = 0, headers = {} }: Sent = {}): Request {
  const at = new Date(Date.now() - age * 1000);
  const signatures = secrets.map((secret) => new Webhook(secret).sign('msg_1', at, signed));
  const own = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': signatures.join(' '),
    ...headers,
  };
  const init: RequestInit & { duplex: 'half' } = { method: 'POST', headers: own, body, duplex: 'half' };
  return new Request('https://site.example/hook', init);
}

/** The code of the error, or the event. */
type Secret = string | null | undefined;
const codeOf = async (request: Request, secret: Secret | readonly Secret[] = SECRET) => {
  const error: unknown = await unwrap(request, secret).catch((reason: unknown) => reason);
  if (!(error instanceof WebhookError)) return error;
  expect(JSON.stringify([error.message, String(error.cause)])).not.toContain(SECRET.slice(6, 20));
  return [error.name, error.code, error.status];
};
const refused = (code: string, status: number) => ['WebhookError', code, status];

describe('unwrap() accepts a request', () => {
  test('unwrap() returns the event of a valid request', async () => {
    expect(await unwrap(requestOf(), SECRET)).toEqual(RECEIVED);
  });

  test('two secrets or two signatures are accepted while the secret is rotated', async () => {
    expect(await unwrap(requestOf({ secrets: [FORMER] }), [SECRET, FORMER])).toEqual(RECEIVED);
    expect(await unwrap(requestOf({ secrets: [FORMER, SECRET] }), SECRET)).toEqual(RECEIVED);
    expect(await unwrap(requestOf(), [SECRET, undefined])).toEqual(RECEIVED);
  });

  test('signatures of other versions are ignored', async () => {
    for (const [before, after] of [
      ['v1a,xyz ', ''],
      ['', ' v2,AAAA'],
      ['v1,!! ', ''],
    ]) {
      const request = requestOf();
      const good = request.headers.get('webhook-signature');
      request.headers.set('webhook-signature', `${before}${good}${after}`);
      expect(await unwrap(request, SECRET)).toEqual(RECEIVED);
    }
  });

  test('a request up to five minutes old, or five minutes ahead of the clock, is accepted', async () => {
    for (const age of [-290, 290]) expect(await unwrap(requestOf({ age }), SECRET)).toEqual(RECEIVED);
  });

  test('a raw body with its headers is accepted, as in Node and Express', async () => {
    const request = requestOf();
    const raw = await request.text();
    const headers = Object.fromEntries(request.headers);
    expect(await unwrap(raw, headers, SECRET)).toEqual(RECEIVED);
    expect(await unwrap(Buffer.from(raw), request.headers, [SECRET])).toEqual(RECEIVED);
    const changed = unwrap(raw.replace('p', 'q'), headers, SECRET);
    await expect(changed).rejects.toMatchObject({ code: 'SIGNATURE_INVALID', status: 401 });
    expect(await unwrap(Readable.from([Buffer.from(raw)]), headers, SECRET)).toEqual(RECEIVED);
    await expect(unwrap(raw, {}, SECRET)).rejects.toMatchObject({ code: 'HEADERS_MISSING' });
    await expect(unwrap(raw, headers, undefined)).rejects.toMatchObject({ code: 'SECRET_INVALID' });
  });

  test('a test of the operator is accepted', async () => {
    const data = { id: null, slug: null, revision: 'r1', tags: [] };
    const ping = JSON.stringify({ ...EVENT, type: 'ping', data });
    const event = await unwrap(requestOf({ body: ping, signed: ping }), SECRET);
    if (event.type !== 'ping') throw new Error(`expected a ping, received ${event.type}`);
    expect(event.data).toEqual(data);
  });

  test('an event type that only a newer server knows is accepted', async () => {
    const newer = JSON.stringify({ ...EVENT, type: 'theme.changed' });
    expect((await unwrap(requestOf({ body: newer, signed: newer }), SECRET)).type).toBe('theme.changed');
  });
});

describe('unwrap() refuses', () => {
  test.each([
    ['a changed body', { body: BODY.replace('p', 'q') }, refused('SIGNATURE_INVALID', 401)],
    ['another secret', { secrets: [FORMER] }, refused('SIGNATURE_INVALID', 401)],
    ['another id', { headers: { 'webhook-id': 'msg_2' } }, refused('SIGNATURE_INVALID', 401)],
    ['an empty signature', { headers: { 'webhook-signature': 'v1,' } }, refused('SIGNATURE_INVALID', 401)],
    ['a request of six minutes ago', { age: 360 }, refused('TIMESTAMP_OUT_OF_RANGE', 400)],
    ['a request of the future', { age: -360 }, refused('TIMESTAMP_OUT_OF_RANGE', 400)],
    ['no time', { headers: { 'webhook-timestamp': 'now' } }, refused('TIMESTAMP_OUT_OF_RANGE', 400)],
    ['no signature', { headers: { 'webhook-signature': '' } }, refused('HEADERS_MISSING', 400)],
    ['an empty body', { body: '', signed: '' }, refused('BODY_UNREADABLE', 400)],
    ['no JSON', { body: 'x', signed: 'x' }, refused('BODY_INVALID', 400)],
    ['JSON of another program', { body: '{"a":1}', signed: '{"a":1}' }, refused('BODY_INVALID', 400)],
    ['null', { body: 'null', signed: 'null' }, refused('BODY_INVALID', 400)],
    ['a large body', { body: 'x'.repeat(256 * 1024 + 1) }, refused('BODY_TOO_LARGE', 413)],
  ])('%s', async (_, sent: Sent, expected) => {
    expect(await codeOf(requestOf(sent))).toEqual(expected);
  });

  test('a body that was parsed, or read by something else before', async () => {
    const headers = Object.fromEntries(requestOf().headers);
    for (const body of [EVENT, undefined, null, '', Readable.from([])]) {
      const call = unwrap(body as unknown as string, headers, SECRET);
      await expect(call).rejects.toMatchObject({ code: 'BODY_UNREADABLE', status: 400 });
    }
  });

  test('anything that is neither a Request nor a raw body with its headers, with advice', async () => {
    const call = unwrap as (...given: readonly unknown[]) => Promise<unknown>;
    const node = { headers: Object.fromEntries(requestOf().headers), body: EVENT };
    for (const given of [
      [node, SECRET],
      [BODY, SECRET],
    ]) {
      await expect(call(...given)).rejects.toThrow('expected a Request and the secret, or the raw body, the headers');
    }
  });

  test('an endless body, without reading all of it', async () => {
    let chunks = 0;
    const pull = (controller: ReadableStreamDefaultController) => {
      chunks += 1;
      controller.enqueue(new Uint8Array(64 * 1024));
    };
    expect(await codeOf(requestOf({ body: new ReadableStream({ pull }) }))).toEqual(refused('BODY_TOO_LARGE', 413));
    expect(chunks).toBeLessThan(10);
  });

  test('a body that was read before or is cut off', async () => {
    const read = requestOf();
    await read.text();
    expect(await codeOf(read)).toEqual(refused('BODY_UNREADABLE', 400));
    const locked = requestOf();
    locked.body?.getReader();
    expect(await codeOf(locked)).toEqual(refused('BODY_UNREADABLE', 400));
    await expect(unwrap(locked, SECRET)).rejects.toThrow('was already read, or is being read');
    const broken = new ReadableStream({ pull: (controller) => controller.error(new Error('reset')) });
    expect(await codeOf(requestOf({ body: broken }))).toEqual(refused('BODY_UNREADABLE', 400));
  });

  test('a request signed with a secret of less than 24 bytes, which could be guessed', async () => {
    for (const [bytes, result] of [
      ['three', refused('SECRET_INVALID', 500)],
      ['x'.repeat(23), refused('SECRET_INVALID', 500)],
      ['x'.repeat(24), RECEIVED],
    ] as const) {
      const secret = `whsec_${btoa(bytes)}`;
      expect(await codeOf(requestOf({ secrets: [secret] }), secret)).toEqual(result);
    }
    // The values that an unset variable may become.
    const secret = 'null';
    expect(await codeOf(requestOf({ secrets: [secret] }), secret)).toEqual(refused('SECRET_INVALID', 500));
  });

  test('a secret that is missing or damaged', async () => {
    const none = ['', [], [undefined], null, [null, undefined], 'null', 'undefined'];
    for (const secret of [...none, 'whsec_', 'whsec_!!', [SECRET, 'ü']]) {
      expect(await codeOf(requestOf(), secret)).toEqual(refused('SECRET_INVALID', 500));
    }
    expect(await unwrap(requestOf(), [SECRET, null])).toEqual(RECEIVED);
    await expect(unwrap(requestOf(), undefined)).rejects.toThrow('The secret of the webhook is missing');
  });
});
