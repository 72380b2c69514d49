import { expect, onTestFinished, test, vi } from 'vitest';
import { filled, frames, host, inside, next, page, recorder, start } from '../test/browser-page.ts';
import { createRehearsal } from './delivery/rehearsal.ts';
import { shared } from './slots/slot.ts';

test('the slots of one frame share a request, in both forms of markup', async () => {
  page(
    '<broadsheet-slot name="a" format="BANNER"></broadsheet-slot><div data-broadsheet-slot="b" data-format="native"></div>',
  );
  const { batches, transport } = recorder();
  const seen = next('filled');
  start({ transport });
  await seen;
  expect(batches).toEqual([
    [
      { slotId: 'a', format: 'BANNER' },
      { slotId: 'b', format: 'NATIVE' },
    ],
  ]);
  expect(inside('broadsheet-slot', '.title')?.textContent).toBe('Ad for a');
  expect(inside('[data-broadsheet-slot]', '.title')?.textContent).toBe('Ad for b');
});

test('a name is cut to 200 characters, as the API counts them', async () => {
  page(`<broadsheet-slot name="${'😀'.repeat(201)}" format="BANNER"></broadsheet-slot>`);
  const { batches, transport } = recorder();
  const seen = next('filled');
  start({ transport });
  await seen;
  expect(batches[0]?.[0]?.slotId).toBe('😀'.repeat(200));
});

test('45 slots in view are requested in batches of 20, 20 and 5, one at a time', async () => {
  page('<broadsheet-slot format="INLINE" style="height: 4px"></broadsheet-slot>'.repeat(45));
  let under = 0;
  let most = 0;
  const sizes: number[] = [];
  const ads = start({
    transport: {
      deliverBatch: async (slots) => {
        most = Math.max(most, ++under);
        sizes.push(slots.length);
        await frames(2);
        under--;
        return slots.map((slot) => filled(slot));
      },
      click: async () => undefined,
    },
  });
  await expect.poll(() => ads.stats().rendered).toBe(45);
  expect(sizes).toEqual([20, 20, 5]);
  expect(most).toBe(1);
});

test('an ad is requested for a slot far below when it comes near, and for a hidden slot when it is displayed', async () => {
  page(
    '<div style="height: 5000px"></div><broadsheet-slot name="far" format="BANNER"></broadsheet-slot><broadsheet-slot name="hidden" format="BANNER" style="display: none"></broadsheet-slot>',
  );
  const { batches, transport } = recorder();
  start({ transport });
  await frames();
  expect(batches).toEqual([]);
  const far = next('filled');
  scrollTo(0, 5000);
  await far;
  expect(batches.flat().map(({ slotId }) => slotId)).toEqual(['far']);
  const shown = next('filled');
  document.querySelector<HTMLElement>('[name=hidden]')?.style.setProperty('display', 'block');
  scrollTo(0, 6000);
  await shown;
  expect(batches.flat().map(({ slotId }) => slotId)).toEqual(['far', 'hidden']);
});

test.each<[string, () => boolean | Promise<boolean>, number]>([
  ['that returns true lets ads be requested', async () => true, 1],
  ['that returns false prevents requests', () => false, 0],
  ['that rejects prevents requests', () => Promise.reject(new Error('no')), 0],
])('a consent function %s', async (_, consent, requests) => {
  page('<broadsheet-slot name="a" format="BANNER"></broadsheet-slot>');
  const { batches, transport } = recorder();
  let called = false;
  const ask = (): boolean | Promise<boolean> => {
    called = true;
    return consent();
  };
  start({ transport, consent: ask });
  await expect.poll(() => called).toBe(true);
  if (requests) await expect.poll(() => batches.length).toBe(requests);
  else {
    await frames(10);
    expect(batches).toEqual([]);
  }
});

test('a click after consent was withdrawn posts nothing', async () => {
  page('<broadsheet-slot name="a" format="BANNER"></broadsheet-slot>');
  const { clicks, transport } = recorder();
  const ads = start({ transport });
  await next('filled');
  ads.consent(false);
  inside('broadsheet-slot', 'a')?.click();
  expect(clicks).toEqual([]);
  ads.consent(true);
  inside('broadsheet-slot', 'a')?.click();
  expect(clicks).toHaveLength(1);
});

test('a rehearsal chooses by whole words: "terror" does not contain the word "error"', async () => {
  page(`<broadsheet-slot name="terror-news" format="BANNER"></broadsheet-slot>
<broadsheet-slot name="belong" format="BANNER"></broadsheet-slot><broadsheet-slot name="side_empty" format="BANNER"></broadsheet-slot>`);
  const ads = start({ transport: createRehearsal() });
  await expect.poll(() => ads.stats()).toMatchObject({ rendered: 2, empty: 1, failed: 0 });
  expect(inside('[name=belong]', '.title')?.textContent).toBe('An ad across the column');
});

test('a field of an ad that is not a string is treated as absent', async () => {
  page('<broadsheet-slot name="a" format="BANNER"></broadsheet-slot>');
  const uncaught: unknown[] = [];
  const listen = (event: ErrorEvent) => uncaught.push(event.message);
  window.addEventListener('error', listen);
  const odd = { title: 123, imageUrl: {}, linkUrl: ['https://advertiser.example/'] } as object;
  const ads = start({ transport: recorder((slot) => filled(slot, odd)).transport });
  await expect.poll(() => ads.stats()).toMatchObject({ rendered: 1 });
  window.removeEventListener('error', listen);
  expect(uncaught).toEqual([]);
  expect(inside('broadsheet-slot', '.title')).toBeNull();
  expect(inside('broadsheet-slot', '.content')?.textContent).toBe('What it says');
});

test("the label of an ad in a component follows the page's language", async () => {
  document.documentElement.lang = 'de';
  page('<section></section>');
  start({ transport: recorder().transport });
  const root = document.querySelector('section')?.attachShadow({ mode: 'open' });
  const slot = document.createElement('broadsheet-slot');
  slot.setAttribute('format', 'BANNER');
  const seen = next('filled');
  root?.append(slot);
  await seen;
  document.documentElement.lang = 'en';
  expect(slot.shadowRoot?.querySelector('.label')?.textContent).toBe('Anzeige');
});

test('a plain element is named by data-broadsheet-slot or by data-name', async () => {
  page(`<div data-broadsheet-slot="one" data-format="BANNER"></div>
<div data-broadsheet-slot data-name="two" data-format="BANNER"></div>`);
  const { batches, transport } = recorder();
  start({ transport });
  await expect.poll(() => batches.flat().map(({ slotId }) => slotId)).toEqual(['one', 'two']);
});

test('a slot whose client changes is handed over, to an earlier client and to a later one', async () => {
  page('<broadsheet-slot name="s" client="b" format="BANNER"></broadsheet-slot>');
  const [a, b] = ['a', 'b'].map((client) => start({ client, transport: recorder().transport }));
  await expect.poll(() => b?.stats().rendered).toBe(1);
  host('s').setAttribute('client', 'a');
  await expect.poll(() => a?.stats().rendered).toBe(1);
  host('s').setAttribute('client', 'b');
  await expect.poll(() => b?.inspect().length).toBe(1);
  expect(a?.inspect()).toEqual([]);
});

test('nothing is requested before consent', async () => {
  page('<broadsheet-slot name="a" format="BANNER"></broadsheet-slot>');
  const { batches, transport } = recorder();
  const ads = start({ transport, consent: false });
  await frames();
  expect(batches).toEqual([]);
  const seen = next('filled');
  ads.consent(true);
  await seen;
  expect(batches).toHaveLength(1);
});

test('slots added later are found, moved ones keep their ad, and an unseen ad goes to the next slot of its format', async () => {
  page('<broadsheet-slot name="a" format="BANNER"></broadsheet-slot><p></p>');
  const { batches, transport } = recorder();
  const first = next('filled');
  start({ transport });
  await first;
  const [slot, paragraph] = document.body.children;
  if (!slot || !paragraph) throw new Error('the page lost its elements');
  paragraph.append(slot);
  await frames();
  expect(batches).toHaveLength(1);

  paragraph.replaceChildren();
  await frames();
  const second = next('filled');
  document.body.insertAdjacentHTML('beforeend', '<div data-broadsheet-slot="b" data-format="BANNER"></div>');
  await second;
  expect(batches).toHaveLength(1);
  expect(inside('[data-broadsheet-slot]', '.title')?.textContent).toBe('Ad for a');
});

test('when the API fails, the fallback is shown, an event is dispatched and no rejection is unhandled', async () => {
  page('<broadsheet-slot name="a" format="BANNER"><p>House ad</p></broadsheet-slot>');
  const unhandled: unknown[] = [];
  window.addEventListener('unhandledrejection', (event) => unhandled.push(event.reason), { once: true });
  const failed = next('error');
  const ads = start({
    transport: { deliverBatch: () => Promise.reject(new Error('down')), click: async () => undefined },
  });
  expect((await failed).detail).toMatchObject({ slotId: 'a', reason: 'Error: down' });
  expect(document.querySelector('p')?.checkVisibility()).toBe(true);
  expect(ads.stats()).toMatchObject({ requests: 1, requested: 1, failed: 1, rendered: 0 });
  await frames();
  expect(unhandled).toEqual([]);
});

test('destroy restores the slots and stops requesting ads', async () => {
  page('<broadsheet-slot name="a" format="BANNER"></broadsheet-slot>');
  const { batches, transport } = recorder();
  const seen = next('filled');
  const ads = start({ transport });
  await seen;
  ads.destroy();
  expect(inside('broadsheet-slot', '.ad')).toBeNull();
  document.body.insertAdjacentHTML('beforeend', '<broadsheet-slot format="BANNER"></broadsheet-slot>');
  await frames();
  expect(batches).toHaveLength(1);
  const again = next('filled');
  start({ transport });
  await again;
  expect(batches).toHaveLength(2);
});

test('a slot inside the shadow root of another element is found when it is added, and its events leave that root', async () => {
  page('<section></section>');
  const { transport } = recorder();
  const ads = start({ transport });
  const root = document.querySelector('section')?.attachShadow({ mode: 'open' });
  const filled: unknown[] = [];
  ads.on('filled', (_, host) => filled.push(host));
  const seen = next('filled');
  const slot = document.createElement('broadsheet-slot');
  slot.setAttribute('format', 'BANNER');
  root?.append(slot);
  await seen;
  expect(slot.shadowRoot?.querySelector('.title')?.textContent).toContain('Ad for');
  expect(filled).toEqual([slot]);
  slot.setAttribute('name', 'other');
  await expect.poll(() => ads.inspect().map(({ slotId }) => slotId)).toEqual(['other']);
});

test('a host that cannot have a shadow root fails without affecting other slots, with an event', async () => {
  page(
    '<img data-broadsheet-slot="a" data-format="BANNER" width="10"><div data-broadsheet-slot="b" data-format="BANNER"></div><p style="height: 5000px"></p>',
  );
  const failed = next('error');
  const ads = start({ transport: recorder().transport });
  expect((await failed).detail).toMatchObject({ slotId: 'a' });
  await expect.poll(() => ads.stats()).toMatchObject({ rendered: 1, failed: 1 });
  const uncaught: unknown[] = [];
  window.addEventListener('error', (event) => uncaught.push(event.message), { once: true });
  scrollTo(0, 3000);
  await expect.poll(() => shared().slots.get(host('b'))?.inView).toBe(false);
  expect(uncaught).toEqual([]);
});

test('a slot whose delivery got a 429 is filled after the wait that the response asks for', async () => {
  page('<broadsheet-slot name="a" format="BANNER"></broadsheet-slot>');
  const { batches, transport } = recorder();
  const { deliverBatch } = transport;
  let refused = 0;
  transport.deliverBatch = (slots, options) =>
    refused++
      ? deliverBatch(slots, options)
      : Promise.reject(Object.assign(new Error('slow down'), { status: 429, mayRepeat: true, retryAfter: 50 }));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const ads = start({ transport });
  await vi.waitFor(() => expect(ads.stats().failed).toBe(1), { timeout: 20_000 });
  expect(batches).toEqual([]);
  const seen = next('filled');
  // The file that sets the timer is loaded after the first failure of a page.
  const retried = async () => {
    await vi.advanceTimersByTimeAsync(5000);
    expect(batches).toHaveLength(1);
  };
  await vi.waitFor(retried, { timeout: 20_000 });
  await seen;
});
