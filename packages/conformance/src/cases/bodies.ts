import { equal } from '../expect.ts';
import { failure, refuses } from '../failure.ts';
import { send } from '../send.ts';
import { section } from '../target.ts';

const promised = section({ section: '4.5' });
const decided = section({ section: 'decided' });
const DELIVERY = '/public/ads/formats';
const CLICK = '/public/ads/tracking/click';
const BODIES = { [DELIVERY]: { slots: [] }, [CLICK]: {} };
const LIMIT = 64 * 1024;
const as = (type: string) => ({ 'Content-Type': type });

/** The bodies of the two POST endpoints that take one: type, size and syntax. */
export const bodyCases = [
  promised('a Content-Type that is missing or not application/json is 415, regardless of the body', async (target) => {
    const types = ['text/plain', 'application/x-www-form-urlencoded', 'application/json-seq', 'application/jsonx'];
    for (const [path, body] of Object.entries(BODIES)) {
      failure(await send(target, path, { body: JSON.stringify(body) }), 'UNSUPPORTED_MEDIA_TYPE');
      failure(await send(target, path, { method: 'POST' }), 'UNSUPPORTED_MEDIA_TYPE');
      for (const type of [...types, 'text/json', 'x-application/json', 'application', 'json']) {
        for (const text of [JSON.stringify(body), 'not json']) {
          failure(await send(target, path, { body: text, headers: as(type) }), 'UNSUPPORTED_MEDIA_TYPE');
        }
      }
    }
  }),
  decided('the media type is compared without regard to case or parameters', async (target) => {
    for (const type of ['Application/JSON', 'application/json; charset=utf-8', 'application/json;charset=UTF-8;x=y']) {
      refuses(await send(target, DELIVERY, { body: '{"slots":[]}', headers: as(type) }), 'slots');
      refuses(await send(target, CLICK, { body: '{}', headers: as(type) }), 'clickToken');
    }
  }),
  decided('a body that is not JSON is 400 INVALID_JSON', async (target) => {
    for (const path of [DELIVERY, CLICK]) {
      for (const body of ['', ' ', '{', "{'slots':[]}", 'undefined', '{"slots":[],}', 'NaN', '[1', '"\\ud800']) {
        failure(await send(target, path, { body, headers: as('application/json'), method: 'POST' }), 'INVALID_JSON');
      }
    }
  }),
  decided('a body of more than 64 KiB is 413, one of 64 KiB is read', async (target) => {
    for (const [path, body] of Object.entries(BODIES)) {
      const text = JSON.stringify(body);
      const options = (length: number) => ({ body: text.padEnd(length), headers: as('application/json') });
      failure(await send(target, path, options(LIMIT + 1)), 'PAYLOAD_TOO_LARGE');
      equal((await send(target, path, options(LIMIT))).status, 400, `${path}: status of 64 KiB`);
      const wide = { body: `{"x":"${'é'.repeat(LIMIT / 2)}"}`, headers: as('application/json') };
      failure(await send(target, path, wide), 'PAYLOAD_TOO_LARGE');
    }
  }),
];
