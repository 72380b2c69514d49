import { expect, test } from 'vitest';
import { actUntil, filled, frames, host, inside, next, page, recorder, start } from '../../test/browser-page.ts';
import { HOSTILE_ADDRESSES, HOSTILE_WORDS } from '../../test/hostile.ts';
import { createRehearsal } from '../delivery/rehearsal.ts';
import { deliveredMarkup } from '../frameworks/server.ts';
import { safeUrl } from './draw.ts';
import { isCapped } from './popup-moment.ts';

test.each(HOSTILE_ADDRESSES)('%j is neither followed nor loaded', (address) => {
  expect(safeUrl(address)).toBeUndefined();
  expect(safeUrl(address, true)).toBeUndefined();
});

test('hostile text in every field is shown as text and runs nothing', async () => {
  page(HOSTILE_WORDS.map((_, index) => `<broadsheet-slot name="${index}" format="NATIVE"></broadsheet-slot>`).join(''));
  const { transport } = recorder((slot) => {
    const words = HOSTILE_WORDS[Number(slot.slotId)] ?? '';
    return filled(slot, { title: words, content: words, linkText: words, linkUrl: words, imageUrl: words });
  });
  const ads = start({ transport });
  await expect.poll(() => ads.stats().rendered).toBe(HOSTILE_WORDS.length);
  for (const [index, words] of HOSTILE_WORDS.entries()) {
    const root = document.querySelector(`[name="${index}"]`)?.shadowRoot;
    expect(root?.querySelector('.title')?.textContent).toBe(words);
    expect(root?.querySelectorAll('script,style,iframe,svg,img,[href],[src]')).toHaveLength(0);
  }
  await frames();
  expect(globalThis).not.toHaveProperty('ran');
});

test("a broken image leaves its space, and the ad's text stays", async () => {
  page('<broadsheet-slot name="broken" format="SIDEBAR"></broadsheet-slot>');
  start({ transport: createRehearsal() });
  await next('filled');
  await expect.poll(() => inside('broadsheet-slot', 'img')).toBeNull();
  const space = inside('broadsheet-slot', '.image');
  expect(space && getComputedStyle(space).visibility).toBe('hidden');
  expect(inside('broadsheet-slot', '.title')?.textContent).toBe('An ad beside the text');
});

test('a popup waits for an interaction, closes on Escape, and opens once a day', async () => {
  page('<broadsheet-slot name="corner" format="POPUP"></broadsheet-slot>');
  const { batches, transport } = recorder();
  const ads = start({ transport });
  await frames(10);
  expect(batches).toEqual([]);
  await actUntil(() => ads.stats().rendered);
  const card = inside('broadsheet-slot', '.ad');
  expect(card && getComputedStyle(card).position).toBe('fixed');
  expect(inside('broadsheet-slot', '.close')?.getAttribute('aria-label')).toBe('Close');
  const closed = next('close');
  document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }));
  await closed;
  expect(inside('broadsheet-slot', '.ad')).toBeNull();
  ads.destroy();
  expect(isCapped(document.body)).toBe(true);
});

test('an empty slot out of view collapses, unless it has a fallback or empty="keep"', async () => {
  page(
    '<broadsheet-slot name="empty" format="BANNER"></broadsheet-slot><div data-broadsheet-slot="empty-2" data-format="BANNER" data-empty="keep"></div><broadsheet-slot name="empty-3" format="BANNER"><p>House</p></broadsheet-slot><div style="height: 9000px"></div>',
  );
  const ads = start({ transport: createRehearsal() });
  await expect.poll(() => ads.stats().empty).toBe(3);
  scrollTo(0, 5000);
  const shown = () => [...document.body.children].slice(0, 3).map((host) => getComputedStyle(host).display);
  await expect.poll(shown).toEqual(['none', 'block', 'inline']);
});

test('an ad that the server delivered is shown without a request', async () => {
  const results = [filled({ slotId: 'top', format: 'BANNER' }, { title: 'From the server' })];
  page(`<broadsheet-slot name="top" format="BANNER"></broadsheet-slot>${deliveredMarkup(results)}`);
  const { batches, transport } = recorder();
  const seen = next('filled');
  start({ transport });
  await seen;
  expect(inside('broadsheet-slot', '.title')?.textContent).toBe('From the server');
  expect(batches).toEqual([]);
});

test('an ad in view for a second is viewable once', async () => {
  page('<broadsheet-slot name="a" format="BANNER"></broadsheet-slot>');
  const ads = start({ transport: recorder().transport });
  await next('viewable');
  expect(ads.stats().viewable).toBe(1);
});

test.each([
  ['a popup', '', 23.9, true],
  ['a popup', '', 24.1, false],
  ['a popup with', 'every="1"', 1.1, false],
  ['a popup with an invalid', 'every="never"', 23.9, true],
])('%s %s is capped %d hours after the last popup: %s', (_, attribute, hours, capped) => {
  page(`<broadsheet-slot name="p" format="POPUP" ${attribute}></broadsheet-slot>`);
  localStorage.setItem('broadsheet:popup', String(Date.now() - hours * 3_600_000));
  expect(isCapped(host('p'))).toBe(capped);
});
