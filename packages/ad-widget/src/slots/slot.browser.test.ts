import { afterEach, expect, test, vi } from 'vitest';
import { actUntil, filled, frames, inside, next, page, recorder, start } from '../../test/browser-page.ts';

const BANNER = '<broadsheet-slot name="a" format="BANNER"></broadsheet-slot>';
const MINUTE = 60_000;
const show = (hidden: boolean): void => {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(hidden);
  document.dispatchEvent(new Event('visibilitychange'));
};

afterEach(() => {
  vi.restoreAllMocks();
});

test('an image that fails to load is replaced by its link', async () => {
  page(BANNER);
  const bare = { title: null, content: null, linkText: null, imageUrl: 'data:image/png;base64,AAAA' };
  const { transport } = recorder((slot) => filled(slot, { ...bare, linkUrl: 'https://shop.example/a' }));
  start({ transport });
  await next('filled');
  await expect.poll(() => inside('broadsheet-slot', '.image')).toBeNull();
  expect(inside('broadsheet-slot', '.action')?.textContent).toBe('shop.example');
});

test('clients with the same key share one request in flight', async () => {
  page(`${BANNER}<broadsheet-slot client="b" format="BANNER"></broadsheet-slot>`);
  let under = 0;
  const seen: number[] = [];
  const { transport } = recorder();
  const deliverBatch: typeof transport.deliverBatch = async (slots) => {
    seen.push(++under);
    await frames(4);
    under--;
    return slots.map((slot) => filled(slot));
  };
  const clients = [start({ transport: { ...transport, deliverBatch } })];
  clients.push(start({ client: 'b', transport: { ...transport, deliverBatch } }));
  await expect.poll(() => clients.map((ads) => ads.stats().rendered)).toEqual([1, 1]);
  expect(seen).toEqual([1, 1]);
});

test('a hidden page requests nothing until it is shown', async () => {
  page(BANNER);
  const { batches, transport } = recorder();
  show(true);
  start({ transport });
  await frames(6);
  expect(batches).toEqual([]);
  const seen = next('filled');
  show(false);
  await seen;
  expect(batches).toHaveLength(1);
});

test('an ad whose token has expired is replaced when the page is shown again; a newer one stays', async () => {
  page(BANNER);
  const { batches, transport } = recorder();
  start({ transport });
  await next('viewable');
  window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
  await frames(4);
  expect(batches).toHaveLength(1);
  const now = Date.now();
  vi.spyOn(Date, 'now').mockReturnValue(now + 11 * MINUTE);
  const again = next('filled');
  window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
  await again;
  expect(batches).toHaveLength(2);
});

test('an ad that replaces a viewable one is not viewable before its own second has passed', async () => {
  page(BANNER);
  const ads = start({ transport: recorder().transport });
  await next('viewable');
  const again = next('filled');
  ads.refresh();
  await again;
  await frames(6);
  expect(ads.stats()).toMatchObject({ rendered: 2, viewable: 1 });
  await next('viewable');
});

test('a click on an expired ad dispatches clickexpired and is not posted', async () => {
  page(BANNER);
  const { clicks, transport } = recorder();
  const ads = start({ transport });
  await next('filled');
  const now = Date.now();
  vi.spyOn(Date, 'now').mockReturnValue(now + 11 * MINUTE);
  const said = next('clickexpired');
  inside('broadsheet-slot', 'a')?.click();
  await said;
  expect(clicks).toEqual([]);
  expect(ads.stats().clicks.expired).toBe(1);
});

test('the button of a modal popup closes it and restores the focus', async () => {
  page('<button>Before</button><broadsheet-slot name="p" format="POPUP" dialog></broadsheet-slot>');
  start({ transport: recorder().transport });
  const before = document.querySelector('button');
  before?.focus();
  await actUntil(() => inside('broadsheet-slot', 'dialog'));
  expect(inside('broadsheet-slot', 'dialog')?.matches(':modal')).toBe(true);
  const closed = next('close');
  inside('broadsheet-slot', '.close')?.click();
  await closed;
  expect(document.activeElement).toBe(before);
});
