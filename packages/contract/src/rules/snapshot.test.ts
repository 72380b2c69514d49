import { expect, test } from 'vitest';
import { FilledAd } from '../schemas/ad.ts';
import { accept } from './accept.ts';
import { AD_TEXTS, SnapshotAd } from './snapshot.ts';

const ad = (fields: object) =>
  accept(SnapshotAd, { id: '00000000-0000-0000-0000-00000000000a', format: 'NATIVE', ...fields });

test.each(['javascript:alert(1)', ' java\nscript:alert(1)', 'JavaScript:1', 'vbscript:x', 'data:text/html,x'])(
  'a link to %j does not come in',
  (linkUrl) => {
    expect(ad({ linkUrl })).toMatchObject({ ok: false, fields: [{ field: 'linkUrl' }] });
  },
);

test.each(['https://x.example/?a=b:c', 'HTTP://x.example', '/offers/1', 'offers?x', null])(
  'a link to %j does',
  (linkUrl) => {
    expect(ad({ linkUrl })).toMatchObject({ ok: true, value: { linkUrl } });
  },
);

test('AD_TEXTS has every text field of an AdDeliveryResult', () => {
  expect(Object.keys(FilledAd.shape)).toEqual(['filled', 'id', ...AD_TEXTS, 'clickToken']);
});

test('an id is a UUID of any version, and nothing else', () => {
  expect(ad({}).ok).toBe(true);
  expect(ad({ id: 'ad-1' })).toMatchObject({ ok: false, fields: [{ message: expect.stringContaining('a UUID') }] });
});
