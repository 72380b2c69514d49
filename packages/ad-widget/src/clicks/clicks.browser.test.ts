import { expect, test } from 'vitest';
import { filled, inside, next, page, recorder, start } from '../../test/browser-page.ts';

const resumed = () => new Promise((resolve) => setTimeout(resolve, 1100));

async function oneAd(transport: ReturnType<typeof recorder>['transport']) {
  page('<broadsheet-slot name="a" format="BANNER"></broadsheet-slot>');
  const seen = next('filled');
  const ads = start({ transport });
  await seen;
  const link = inside('broadsheet-slot', 'a');
  if (!link) throw new Error('the ad has no link');
  return { ads, link };
}

test('a token is posted once, inside the event handler, for any number of clicks on any part of the link', async () => {
  const { clicks, transport } = recorder();
  const { ads, link } = await oneAd(transport);
  link.querySelector<HTMLElement>('.title')?.click();
  expect(clicks).toHaveLength(1);
  link.click();
  link.dispatchEvent(new MouseEvent('auxclick', { button: 1, bubbles: true, composed: true }));
  expect(clicks).toMatchObject([{ keepalive: true }]);
  await expect.poll(() => ads.stats().clicks).toMatchObject({ posted: 1, confirmed: 1 });
});

test('the middle button counts, the right one does not', async () => {
  const { clicks, transport } = recorder();
  const { link } = await oneAd(transport);
  link.dispatchEvent(new MouseEvent('auxclick', { button: 2, bubbles: true, composed: true }));
  expect(clicks).toEqual([]);
  link.dispatchEvent(new MouseEvent('auxclick', { button: 1, bubbles: true, composed: true }));
  expect(clicks).toHaveLength(1);
});

test('a rejected post is repeated once without keepalive, then waits in the journal for the next page', async () => {
  const how: boolean[] = [];
  const failing = recorder();
  failing.transport.click = (_, { keepalive }) => {
    how.push(keepalive);
    return Promise.reject(new TypeError('quota'));
  };
  const { ads, link } = await oneAd(failing.transport);
  link.click();
  await expect.poll(() => ads.stats().clicks).toMatchObject({ posted: 1, confirmed: 0, unsent: 1 });
  expect(how).toEqual([true, false]);
  ads.destroy();

  const { clicks, transport } = recorder();
  const later = start({ transport });
  await expect.poll(() => clicks.length).toBe(1);
  await expect.poll(() => later.stats().clicks.confirmed).toBe(1);
  later.destroy();
  start({ transport });
  await resumed();
  expect(clicks).toHaveLength(1);
});

test.each([
  [409, 'confirmed'],
  [400, 'expired'],
  [403, 'refused'],
] as const)('a click whose response is %i is %s', async (status, outcome) => {
  const { transport } = recorder();
  transport.click = () => Promise.reject(Object.assign(new Error('no'), { status }));
  const { ads, link } = await oneAd(transport);
  link.click();
  await expect.poll(() => ads.stats().clicks).toMatchObject({ posted: 1, [outcome]: 1, unsent: 0 });
  expect(sessionStorage).toHaveLength(0);
});

test('the link is sponsored, opens a new tab, and only follows http(s)', async () => {
  const { ads, link } = await oneAd(recorder().transport);
  expect(link.getAttribute('rel')).toBe('sponsored noopener');
  expect(link.getAttribute('target')).toBe('_blank');
  ads.destroy();
  page('<broadsheet-slot name="b" format="BANNER"></broadsheet-slot>');
  const seen = next('filled');
  start({ transport: recorder((slot) => filled(slot, { linkUrl: 'javascript:alert(1)' })).transport });
  await seen;
  expect(inside('broadsheet-slot', '[href]')).toBeNull();
});
