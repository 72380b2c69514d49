import { AD_FORMATS } from '@broadsheet/contract';
import { type Delivered, deliver, deliverBatch, gained, sendBatch } from '../deliver.ts';
import { equal, holds } from '../expect.ts';
import { failure, refuses } from '../failure.ts';
import { AD, OTHER_SIDEBARS } from '../fixture/ads.ts';
import { send } from '../send.ts';
import { ok } from '../success.ts';
import { filledFormat } from '../survey.ts';
import { section, Unchecked } from '../target.ts';

const promised = section({ section: '4.5', effect: 'counts' });
const seeded = section({ section: '4.5', effect: 'counts', needs: ['snapshot'] });
const decided = section({ section: 'decided', effect: 'counts' });
const random = section({ section: 'decided', effect: 'counts', needs: ['snapshot'] });
const refusal = section({ section: '4.5' });
const counted = section({ section: '4.5', effect: 'counts', needs: ['snapshot', 'adCounts'] });

/** How many deliveries must return the same ad before it counts as the only one of its priority. */
const DRAWS = 24;
const slot = { slotId: 's', format: 'BANNER' };
const ids = (results: readonly Delivered[]) => results.map((result) => (result.filled ? result.id : 'none'));

/** Section 4.5: an ad for each slot of a batch. */
export const batchCases = [
  promised('a batch responds with one result per slot, in the order of the request', async (target) => {
    await deliverBatch(target, ['NATIVE', 'BANNER', 'POPUP', 'BANNER', 'INLINE', 'SIDEBAR', 'NATIVE']);
    await deliverBatch(target, ['POPUP']);
    for (const slotIds of [
      [' Top ', 'TOP', 'top'],
      ['10', '9', '01'],
      ['<b>&amp;', 'e\u0301', '\u00e9'],
    ]) {
      await deliverBatch(target, ['BANNER', 'BANNER', 'BANNER'], slotIds);
    }
    // The slots of one format outnumber its ads, and the next slot is filled.
    for (const format of AD_FORMATS) await deliverBatch(target, [...Array<string>(15).fill(format), ...AD_FORMATS]);
  }),
  promised(
    'a format with an ad for a single delivery has one for a batch, and the first slot gets the same ad',
    async (target) => {
      await filledFormat(target);
      for (const format of AD_FORMATS) {
        const drawn = new Map<string, Delivered>();
        for (let draw = 0; draw < DRAWS && drawn.size < 2; draw += 1) {
          const ad = await deliver(target, format);
          drawn.set(ad.filled ? ad.id : 'none', ad);
        }
        const results = await deliverBatch(target, [format, format, format, format]);
        const [first] = results;
        equal(first?.filled, !drawn.has('none'), `${format}: filled in a batch`);
        if (drawn.size === 1 && first?.filled)
          equal(first.id, [...drawn.keys()][0], `${format}: the first ad of a batch`);
        for (const ad of results) {
          const { clickToken: _, ...same } = drawn.get(ad.id) ?? ad;
          const { clickToken: __, slotId, format: ___, ...texts } = ad;
          if (drawn.has(ad.id)) equal(texts, same, `${format}: the ad in slot ${slotId}`);
        }
        const gap = results.findIndex(({ filled }) => !filled);
        holds(
          gap < 0 || results.slice(gap).every(({ filled }) => !filled),
          `${format}: no slot is left empty before a filled one`,
        );
        // With a slot left empty, the batch holds every ad of the format.
        const strangers = [...drawn.keys()].filter((id) => id !== 'none' && !ids(results).includes(id));
        equal(gap < 0 ? [] : strangers, [], `${format}: ads of single deliveries that are missing from the batch`);
      }
    },
  ),
  promised('no ad is repeated across the slots of a batch', async (target) => {
    const mixed = Array.from({ length: 20 }, (_, index) => AD_FORMATS[index % AD_FORMATS.length] ?? '');
    // A server that picks among equal ads at random repeats an ad only occasionally.
    for (const formats of [mixed, ...AD_FORMATS.map((format) => [format, format, format])]) {
      for (let time = 0; time < 8; time += 1) {
        const filled = ids(await deliverBatch(target, formats)).filter((id) => id !== 'none');
        equal(new Set(filled).size, filled.length, 'different ads');
      }
    }
  }),
  promised('a longer batch begins with the ads of a shorter one', async (target) => {
    for (const format of AD_FORMATS) {
      const firstTwo = async (count: number) =>
        ids(await deliverBatch(target, Array<string>(count).fill(format)))
          .slice(0, 2)
          .sort()
          .join(' and ');
      const [short, long] = [new Set<string>(), new Set<string>()];
      for (let time = 0; time < 8; time += 1) {
        short.add(await firstTwo(2));
        long.add(await firstTwo(4));
      }
      // If several ads are equal, eight batches do not always get the same two. A campaign may also reach its cap.
      const [first = ''] = short;
      holds(short.size > 1 || long.has(first), `${format}: four slots begin with the ads of two: ${first}`);
    }
  }),
  decided('if one of a single delivery and a batch picks its ad at random, so does the other', async (target) => {
    const changes = (list: readonly string[]) => list.filter((id, index) => index > 0 && id !== list[index - 1]).length;
    let equals = 0;
    for (const format of AD_FORMATS) {
      const [single, first]: [string[], string[]] = [[], []];
      const askOne = async () => void single.push((await deliver(target, format)).id ?? 'none');
      const askBatch = async () => void first.push(ids(await deliverBatch(target, [format, format]))[0] ?? 'none');
      for (let draw = 0; draw < DRAWS && (changes(first) === 0 || changes(single) === 0); draw += 1) {
        // Alternating, because the deliveries of a campaign depend on the deliveries just before.
        for (const ask of draw % 2 === 0 ? [askOne, askBatch] : [askBatch, askOne]) await ask();
        if (draw === 7 && changes(single) + changes(first) === 0) break;
      }
      if (Math.max(changes(single), changes(first)) < 4 && Math.min(changes(single), changes(first)) === 0) continue;
      equals += 1;
      holds(changes(first) > 0, `${format}: the first ad of a batch changes, like the ad of a single delivery`);
      holds(changes(single) > 0, `${format}: the ad of a single delivery changes, as the first of a batch does`);
    }
    if (equals === 0) throw new Unchecked('no format has several ads of the highest priority');
  }),
  seeded('the slots of a format get its ads by priority, then stay unfilled', async (target) => {
    const results = await deliverBatch(target, ['BANNER', 'POPUP', 'BANNER', 'INLINE', 'POPUP', 'BANNER', 'BANNER']);
    const { bannerHigh, bannerMiddle, bannerLow, popup } = AD;
    equal(ids(results), [bannerHigh, popup, bannerMiddle, 'none', 'none', bannerLow, 'none'], 'ads');
  }),
  seeded('twenty slots get the twenty highest ads, in slot order', async (target) => {
    const results = await deliverBatch(target, Array<string>(20).fill('NATIVE'));
    equal(ids(results), AD.natives.slice(0, 20), 'ads');
    equal(new Set(results.map(({ clickToken }) => clickToken)).size, 20, 'different tokens');
  }),
  random('house campaigns fill the slots that other ads leave empty, regardless of their priority', async (target) => {
    const key = target.otherKey ?? '';
    const { paid, plain, house } = OTHER_SIDEBARS;
    equal((await deliver(target, 'SIDEBAR', { key })).id, paid, 'a single delivery');
    const slots = [1, 2, 3, 4].map((index) => ({ slotId: `s${index}`, format: 'SIDEBAR' }));
    const results = ok(await sendBatch(target, { slots }, { key })) as Delivered[];
    equal(ids(results), [paid, plain, house, 'none'], 'a batch');
  }),
  random('ties in a batch are random', async (target) => {
    const orders = new Set<string>();
    for (let time = 0; time < 80 && orders.size < 2; time += 1) {
      const found = ids(await deliverBatch(target, ['SIDEBAR', 'SIDEBAR']));
      equal([...found].sort(), AD.sidebars, 'both ads');
      orders.add(found.join());
    }
    equal(orders.size, 2, 'orders seen within 80 batches');
  }),
  decided('slotId has 1 to 200 characters and may be repeated', async (target) => {
    const longest = Array<string>(14).fill('😀'.repeat(200));
    const names = ['x'.repeat(200), 'same', 'same', 'ü 😀/"', '__proto__', ...longest];
    const slots = names.map((slotId) => ({ ...slot, slotId }));
    const results = ok(await sendBatch(target, { slots })) as Delivered[];
    const found = results.map(({ slotId }) => slotId);
    equal(found, names, 'slotIds');
    const filled = ids(results).filter((id) => id !== 'none');
    equal(new Set(filled).size, filled.length, 'each repeat is its own slot');
    refuses(await sendBatch(target, { slots: [slot, { ...slot, slotId: '' }] }), 'slots.1.slotId');
    for (const long of ['x'.repeat(201), '😀'.repeat(201)]) {
      refuses(await sendBatch(target, { slots: [{ ...slot, slotId: long }] }), 'slots.0.slotId');
    }
  }),
  refusal('a batch has 1 to 20 slots', async (target) => {
    refuses(await sendBatch(target, { slots: [] }), 'slots');
    refuses(await sendBatch(target, { slots: Array.from({ length: 21 }, () => slot) }), 'slots');
    refuses(await sendBatch(target, {}), 'slots');
    for (const slots of [null, 'x', 1, {}, { 0: slot }, true]) refuses(await sendBatch(target, { slots }), 'slots');
  }),
  refusal('slotId and format are required in each slot', async (target) => {
    refuses(await sendBatch(target, { slots: [{ format: 'BANNER' }] }), 'slots.0.slotId');
    refuses(await sendBatch(target, { slots: [slot, { slotId: 's' }] }), 'slots.1.format');
    refuses(await sendBatch(target, { slots: [{}] }), 'slots.0.slotId', 'slots.0.format');
    for (const bad of [1, null, ['s'], {}]) {
      refuses(await sendBatch(target, { slots: [{ ...slot, slotId: bad }] }), 'slots.0.slotId');
    }
    for (const bad of [null, 'x', 7]) refuses(await sendBatch(target, { slots: [slot, bad] }), 'slots.1');
  }),
  refusal('a format outside the enum is 400, and the field has a dotted path', async (target) => {
    for (const format of ['banner', 'NOPE', '', null, 3]) {
      refuses(await sendBatch(target, { slots: [slot, slot, slot, { ...slot, format }] }), 'slots.3.format');
    }
  }),
  refusal('a body that is not an object is 400', async (target) => {
    for (const body of [null, [], [slot], 'x', 5]) failure(await sendBatch(target, body), 'VALIDATION_ERROR');
  }),
  counted('an impression is recorded per allocated ad, and none when the batch is refused', async (target) => {
    const watched = [AD.bannerHigh, AD.bannerMiddle, AD.bannerLow, AD.popup];
    const impressions = await gained(target, 'impressions', watched, async () => {
      await deliverBatch(target, ['BANNER', 'BANNER', 'POPUP', 'POPUP']);
      refuses(await sendBatch(target, { slots: [slot, { slotId: 's', format: 'x' }] }), 'slots.1.format');
    });
    equal(impressions, [1, 1, 0, 1], 'impressions');
  }),
  decided('a response to a delivery is not stored', async (target) => {
    const single = [await send(target, '/public/ads/formats/BANNER'), await send(target, '/public/ads/formats/nope')];
    for (const response of [...single, await sendBatch(target, { slots: [slot] })]) {
      equal(response.headers.get('cache-control'), 'no-store', `${response.request}: Cache-Control`);
      equal(response.headers.get('etag'), null, `${response.request}: ETag`);
    }
  }),
];
