import { afterEach, expect, test, vi } from 'vitest';
import { actUntil, frames, host, next, page, recorder, start } from '../../test/browser-page.ts';
import { shared } from './slot.ts';

const FAR = '<div style="height: 6000px"></div>';
const POPUP = '<broadsheet-slot name="p" format="POPUP"></broadsheet-slot>';

afterEach(() => {
  vi.restoreAllMocks();
});

test('an ad whose token has expired is replaced as it comes back into view, never while it is in view', async () => {
  page(`<broadsheet-slot name="a" format="BANNER"></broadsheet-slot>${FAR}`);
  const { batches, transport } = recorder();
  start({ transport });
  await next('viewable');
  const now = Date.now();
  vi.spyOn(Date, 'now').mockReturnValue(now + 11 * 60_000);
  // On a page that loads slowly, `pageshow` fires after its ads have arrived, without a return of the reader.
  window.dispatchEvent(new PageTransitionEvent('pageshow'));
  await frames(10);
  expect(batches).toHaveLength(1);
  scrollTo(0, 5000);
  await expect.poll(() => shared().slots.get(host('a'))?.near).toBe(false);
  expect(batches).toHaveLength(1);
  const again = next('filled');
  scrollTo(0, 0);
  await again;
  expect(batches).toHaveLength(2);
});

test('a popup opens once a quarter of the page is scrolled, and not before', async () => {
  page(POPUP + FAR);
  const { batches, transport } = recorder();
  start({ transport });
  // Until its file has loaded no popup opens, however far the page is scrolled.
  await expect
    .poll(() => performance.getEntriesByName(new URL('../drawing/popup.ts', import.meta.url).href))
    .not.toEqual([]);
  scrollTo(0, 300);
  await frames(10);
  expect(batches).toEqual([]);
  const seen = next('filled');
  scrollTo(0, 3000);
  await seen;
  expect(batches).toHaveLength(1);
});

test('a popup that stays open is viewable, one that is closed at once is not', async () => {
  page(POPUP);
  const { transport } = recorder();
  const open = async () => {
    const ads = start({ transport });
    await actUntil(() => ads.stats().rendered);
    return ads;
  };
  const looked = await open();
  await next('viewable');
  expect(looked.stats().viewable).toBe(1);
  looked.destroy();
  localStorage.clear();
  const leave = () => document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }));
  document.addEventListener('broadsheet:filled', leave, { once: true });
  const closed = await open();
  await new Promise((resolve) => setTimeout(resolve, 1200));
  expect(closed.stats().viewable).toBe(0);
});

test.each([
  ['a large ad is viewable with 30 % of it in view for a second', 400, 800, 0.35, 1],
  ['a smaller ad is not viewable with 30 % of it in view for a second', 400, 300, 0.35, 0],
  ['a smaller ad is viewable with half of it in view for a second', 400, 300, 0.6, 1],
] as const)('%s', async (_, width, height, share, viewable) => {
  const top = innerHeight - height * share;
  const style = `display: block; position: absolute; top: ${top}px; left: 0; width: ${width}px; height: ${height}px`;
  const seen = '<broadsheet-slot name="seen" format="BANNER" style="display: block; height: 40px"></broadsheet-slot>';
  page(`${seen}<broadsheet-slot name="a" format="BANNER" style="${style}"></broadsheet-slot>${FAR}`);
  const ads = start({ transport: recorder().transport });
  const types: string[] = [];
  ads.on('viewable', ({ slotId }) => types.push(slotId));
  await expect.poll(() => ads.stats().rendered).toBe(2);
  if (viewable) await expect.poll(() => types).toContain('a');
  await expect.poll(() => types).toContain('seen');
  // The viewability second of a slot that is added later begins after the seconds of the first two slots.
  document.body.insertAdjacentHTML('afterbegin', seen.replace('seen', 'later'));
  await expect.poll(() => types).toContain('later');
  expect(types.includes('a')).toBe(viewable === 1);
});
