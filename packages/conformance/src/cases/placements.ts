import { deliver, deliverBatch } from '../deliver.ts';
import { equal } from '../expect.ts';
import { PLACED } from '../fixture/ads.ts';
import { section, type Target } from '../target.ts';

const placed = section({ section: 'decided', effect: 'counts', needs: ['snapshot'] });

/** The ads that slots of a format get, by the names of the slots. */
async function adsOf(target: Target, format: string, slotIds: readonly string[]): Promise<readonly string[]> {
  const other = { ...target, apiKey: target.otherKey ?? '' };
  const results = await deliverBatch(
    other,
    slotIds.map(() => format),
    slotIds,
  );
  return results.map(({ filled, id }) => (filled ? id : 'none'));
}

/** Campaigns that name placements, which are the places that a sponsor has bought, and paused campaigns. */
export const placementCases = [
  placed('a campaign that names placements gets only slots with these ids, exactly or by prefix', async (target) => {
    for (const slotId of ['top', 'letterpress-3', 'letterpress-']) {
      equal(await adsOf(target, 'INLINE', ['side', slotId, slotId]), ['none', PLACED.inline, 'none'], slotId);
    }
    for (const slotId of ['Top', 'top-2', 'letterpress', 'a letterpress-3']) {
      equal(await adsOf(target, 'INLINE', [slotId]), ['none'], slotId);
    }
  }),
  placed('a delivery without slots never gets the ads of a campaign that names placements', async (target) => {
    const key = target.otherKey ?? '';
    equal(await deliver(target, 'INLINE', { key }), { filled: false }, 'INLINE');
    equal((await deliver(target, 'NATIVE', { key })).id, PLACED.nativeFirst, 'NATIVE');
  }),
  placed('an ad of a paused campaign is not delivered', async (target) => {
    equal(await deliver(target, 'POPUP', { key: target.otherKey ?? '' }), { filled: false }, 'POPUP');
    equal(await adsOf(target, 'POPUP', ['top', 'side']), ['none', 'none'], 'a batch');
  }),
  placed('slots take the ads of campaigns that name them first, within the same priority', async (target) => {
    const { nativeFirst, nativeTop, natives, nativeLast } = PLACED;
    for (let time = 0; time < 8; time += 1) {
      const [first, second, ...others] = await adsOf(target, 'NATIVE', Array<string>(7).fill('top'));
      equal([first, second], [nativeFirst, nativeTop], 'the first two slots');
      equal([...others.slice(0, 3)].sort(), natives, 'the other ads of that priority');
      equal(others.slice(3), [nativeLast, 'none'], 'the last two slots');
      const elsewhere = await adsOf(target, 'NATIVE', ['side', 'side', 'top', 'side', 'side']);
      equal([elsewhere[0], elsewhere[2]], [nativeFirst, nativeTop], 'slots of two places');
      equal([elsewhere[1], ...elsewhere.slice(3)].sort(), natives, 'slots of the other place');
    }
  }),
];
