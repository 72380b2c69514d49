import { accepted, click, type Delivered, gained, sendBatch } from '../deliver.ts';
import { equal, holds } from '../expect.ts';
import { failure, refuses } from '../failure.ts';
import { AD } from '../fixture/ads.ts';
import { type RequestOptions, send, type TargetResponse } from '../send.ts';
import { ok } from '../success.ts';
import { filledFormat } from '../survey.ts';
import { section, type Target, Unchecked } from '../target.ts';
import { words } from './methods.ts';

const decided = section({ section: 'decided', effect: 'counts' });
const seeded = section({ section: 'decided', effect: 'counts', needs: ['snapshot'] });
const counted = section({ section: 'decided', effect: 'counts', needs: ['snapshot', 'adCounts'] });
const timed = section({ section: 'decided', effect: 'counts', needs: ['snapshot', 'clock'] });

const MINUTE = 60_000;
let keys = 0;
/** A key that no case used before, on any target. */
const newKey = () => `case_${Date.now()}-${++keys}_${Math.random().toString(36).slice(2).padEnd(11, '0')}`;

const isReplay = ({ headers }: TargetResponse) => headers.get('idempotency-replayed') === 'true';
const idsOf = (response: TargetResponse) => [ok(response)].flat().map((ad) => (ad as Delivered).id ?? 'none');
const tokensOf = (response: TargetResponse) =>
  [ok(response)].flat().flatMap((ad) => (ad as Delivered).clickToken ?? []);

/** Checks that the server accepted the idempotency key. A server that ignores keys cannot be checked. */
function requireAccepted(response: TargetResponse): TargetResponse {
  const header = response.headers.get('idempotency-accepted');
  if (header === null && response.status === 200) throw new Unchecked('the server does not support idempotency keys');
  equal(header, 'true', `${response.request}: Idempotency-Accepted`);
  return response;
}

const one = async (target: Target, format: string, key: string, options?: RequestOptions) =>
  requireAccepted(await send(target, `/public/ads/formats/${format}?idempotencyKey=${key}`, options));
const batch = async (target: Target, formats: readonly string[], key: string, options?: RequestOptions) => {
  const slots = formats.map((format, index) => ({ slotId: `s${index}`, format }));
  return requireAccepted(
    await send(target, `/public/ads/formats?idempotencyKey=${key}`, { json: { slots }, ...options }),
  );
};
const FORMATS = ['SIDEBAR', 'BANNER', 'INLINE', 'SIDEBAR', 'BANNER', 'SIDEBAR'];

/** Deliveries that are repeated under an idempotency key. */
export const idempotencyCases = [
  decided('a repeated delivery returns the same ads and is marked as a replay', async (target) => {
    const format = await filledFormat(target);
    for (const request of [(key: string) => one(target, format, key), (key: string) => batch(target, FORMATS, key)]) {
      const key = newKey().padEnd(64, 'z');
      const first = await request(key);
      equal(isReplay(first), false, `${first.request}: Idempotency-Replayed of the first`);
      for (let time = 0; time < 2; time += 1) {
        const again = await request(key);
        equal(again.headers.get('idempotency-replayed'), 'true', `${again.request}: Idempotency-Replayed`);
        equal(idsOf(again), idsOf(first), `${again.request}: ads`);
      }
      const shared = newKey();
      const together = await Promise.all([request(shared), request(shared), request(shared)]);
      equal(together.filter((response) => !isReplay(response)).length, 1, 'concurrent responses that are not replays');
      equal(new Set(together.map((response) => idsOf(response).join())).size, 1, 'ads of concurrent responses');
      for (const other of [`${key.slice(0, -1)}y`, `${key.slice(0, -1)}Z`]) {
        equal(isReplay(await request(other)), false, `${first.request}: Idempotency-Replayed under another key`);
      }
    }
  }),
  decided('a click on a replayed delivery is accepted, and a delivery has only one click', async (target) => {
    const [format, key] = [await filledFormat(target), newKey()];
    const first = await one(target, format, key);
    const [token] = tokensOf(await one(target, format, key));
    accepted(await click(target, token));
    const second = await click(target, tokensOf(first)[0]);
    equal(second.status, 409, 'a second click, with the token of the first response');
  }),
  counted('a delivery and its replays are counted once, even when they are concurrent', async (target) => {
    const watched = [...AD.sidebars, AD.bannerHigh, AD.bannerMiddle, AD.popup];
    const [key, ofOne] = [newKey(), newKey()];
    const impressions = await gained(target, 'impressions', watched, async () => {
      const responses = await Promise.all(Array.from({ length: 8 }, () => batch(target, FORMATS, key)));
      equal(responses.filter((response) => !isReplay(response)).length, 1, 'responses that are not replays');
      for (const response of responses) equal(idsOf(response), idsOf(responses[0] as TargetResponse), 'ads');
      await Promise.all(Array.from({ length: 5 }, () => one(target, 'POPUP', ofOne)));
    });
    equal(impressions, [1, 1, 1, 1, 1], 'impressions');
  }),
  decided('the same key with another body is 400', async (target) => {
    const [key, ofOne] = [newKey(), newKey()];
    await batch(target, ['BANNER', 'POPUP'], key);
    refuses(await batch(target, ['BANNER'], key), 'idempotencyKey');
    refuses(await batch(target, ['POPUP', 'BANNER'], key), 'idempotencyKey');
    refuses(await one(target, 'BANNER', key), 'idempotencyKey');
    equal(isReplay(await batch(target, ['BANNER', 'POPUP'], key)), true, 'the first body again is a replay');
    await one(target, 'BANNER', ofOne);
    refuses(await one(target, 'POPUP', ofOne), 'idempotencyKey');
  }),
  decided('an idempotency key has 16 to 64 characters of A-Za-z0-9_-', async (target) => {
    const format = await filledFormat(target);
    requireAccepted(await one(target, format, newKey()));
    for (const text of ['', 'x'.repeat(15), 'x'.repeat(65), 'ä'.repeat(20), `${newKey()}%20`, `${newKey()}.`]) {
      const refusals = [
        await send(target, `/public/ads/formats/${format}?idempotencyKey=${text}`),
        await send(target, `/public/ads/formats?idempotencyKey=${text}`, {
          json: { slots: [{ slotId: 's', format }] },
        }),
      ];
      for (const response of refusals) {
        refuses(response, 'idempotencyKey');
        equal(response.headers.get('idempotency-accepted'), null, `${response.request}: Idempotency-Accepted`);
      }
    }
    refuses(
      await send(target, `/public/ads/formats/${format}?idempotencyKey=${newKey()}&idempotencyKey=${newKey()}`),
      'idempotencyKey',
    );
    for (const length of [16, 64]) await one(target, format, newKey().padEnd(64, 'Z_-9').slice(-length));
  }),
  decided('every response to a delivery with a key says that the key was accepted', async (target) => {
    requireAccepted(await one(target, await filledFormat(target), newKey()));
    refuses(await one(target, 'NOPE', newKey()), 'format');
    refuses(await batch(target, [], newKey()), 'slots');
  }),
  decided('a request without an API key is refused before its query is read', async (target) => {
    requireAccepted(await one(target, await filledFormat(target), newKey()));
    const body = { json: { slots: [{ slotId: 's', format: 'BANNER' }] } };
    const refused = await send(target, `/public/ads/formats?idempotencyKey=${newKey()}`, { ...body, key: null });
    failure(refused, 'UNAUTHORIZED');
    equal(refused.headers.get('idempotency-accepted'), null, `${refused.request}: Idempotency-Accepted`);
  }),
  decided('a body of a wrong type or size is refused before a wrong idempotency key', async (target) => {
    requireAccepted(await one(target, await filledFormat(target), newKey()));
    const path = '/public/ads/formats?idempotencyKey=short';
    failure(
      await send(target, path, { body: '{}', headers: { 'Content-Type': 'text/plain' } }),
      'UNSUPPORTED_MEDIA_TYPE',
    );
    failure(await send(target, path, { json: { slots: ['x'.repeat(70_000)] } }), 'PAYLOAD_TOO_LARGE');
    refuses(await send(target, path, { json: { slots: [{ slotId: 's', format: 'BANNER' }] } }), 'idempotencyKey');
  }),
  decided('tracking/impression says that keys are accepted, so that a client can ask', async (target) => {
    requireAccepted(await one(target, await filledFormat(target), newKey()));
    const path = '/public/ads/tracking/impression';
    for (const options of [{}, { json: { clickToken: 'any' } }, { key: null }]) {
      const response = await send(target, path, { method: 'POST', ...options });
      equal(response.headers.get('idempotency-accepted'), 'true', `${response.request}: Idempotency-Accepted`);
    }
  }),
  decided('pages may read the response headers about the key', async (target) => {
    const response = await one(target, await filledFormat(target), newKey());
    const exposed = words(response.headers.get('access-control-expose-headers'));
    for (const name of ['idempotency-accepted', 'idempotency-replayed']) {
      holds(exposed.includes(name), `${response.request}: ${name} is exposed`);
    }
  }),
  decided('a delivery without a key has no headers about keys', async (target) => {
    const format = await filledFormat(target);
    for (const response of [
      await send(target, `/public/ads/formats/${format}`),
      await sendBatch(target, { slots: [{ slotId: 's', format }] }),
    ]) {
      equal(response.headers.get('idempotency-accepted'), null, `${response.request}: Idempotency-Accepted`);
      equal(response.headers.get('idempotency-replayed'), null, `${response.request}: Idempotency-Replayed`);
    }
  }),
  seeded('each API key has its own idempotency keys', async (target) => {
    const key = newKey();
    const other = { key: target.otherKey ?? '' };
    const [ours] = idsOf(await one(target, 'POPUP', key));
    equal(ours, AD.popup, 'this blog');
    const theirs = await one(target, 'BANNER', key, other);
    equal([isReplay(theirs), idsOf(theirs)], [false, [AD.bannerHigh]], 'the other blog');
  }),
  timed('a key is valid for ten minutes, and so is the token of a replay', async (target) => {
    const key = newKey();
    await one(target, 'POPUP', key);
    await target.clock?.advance(9 * MINUTE);
    const [token] = tokensOf(await one(target, 'POPUP', key));
    await target.clock?.advance(MINUTE);
    equal(isReplay(await one(target, 'POPUP', key)), false, 'a replay after ten minutes');
    equal(isReplay(await one(target, 'POPUP', key)), true, 'a replay of that');
    await target.clock?.advance(8 * MINUTE);
    accepted(await click(target, token));
  }),
];
