import { AD_FORMATS } from '@broadsheet/contract';
import { accepted, anyToken, click, clickOrigin, deliver, deliverBatch, gained } from '../deliver.ts';
import { equal, holds } from '../expect.ts';
import { failure, refuses } from '../failure.ts';
import { AD } from '../fixture/ads.ts';
import { send, type TargetResponse } from '../send.ts';
import { filledFormat, findFilledFormat } from '../survey.ts';
import { section, type Target, Unchecked } from '../target.ts';
import { respelled } from './click-tokens.ts';

const promised = section({ section: '4.5', effect: 'counts' });
const counted = (...needs: ('clock' | 'ips')[]) =>
  section({ section: '4.5', effect: 'counts', needs: ['snapshot', 'adCounts', ...needs] });
const MINUTE = 60_000;
/** The number of deliveries in which an ad of a format is expected several times. */
const DRAWS = 24;

const token = async (target: Target, ip?: string): Promise<string> =>
  (await deliver(target, 'POPUP', ip === undefined ? {} : { ip })).clickToken;
/** Checks how many clicks on an ad, by default the `POPUP` ad, are counted. */
async function counts(target: Target, count: number, act: () => Promise<unknown>, adId: string = AD.popup) {
  equal(await gained(target, 'clicks', [adId], act), [count], 'clicks');
}

/** Checks that no response to a repeated click differs from the response to the first, which may be counted. */
function looksTheSame(counted: TargetResponse, repeats: readonly TargetResponse[]): void {
  const namesOf = ({ headers }: TargetResponse) => [...headers.keys()].sort();
  for (const repeat of repeats) {
    equal(repeat.text, counted.text, 'body of the repeated click');
    equal(namesOf(repeat), namesOf(counted), 'header names of the repeated click');
  }
  // A header that counts, or that changes at random, reveals nothing.
  if (repeats.length < 8) return;
  for (const name of namesOf(counted)) {
    const textOf = ({ headers }: TargetResponse) => headers.get(name)?.replaceAll(/\d/g, '');
    const values = new Set(repeats.map(textOf));
    holds(values.size > 1 || values.has(textOf(counted)), `${name} is the same for counted and for repeated clicks`);
  }
}

/** Section 4.5: a token is accepted once, and an IP address is counted once within 30 minutes. */
export const clickCases = [
  section({ section: '4.5' })('clickToken is required and must be a string', async (target) => {
    const bodies = [{}, { clickToken: null }, { clickToken: 5 }, { clickToken: '' }, { clicktoken: 'x' }];
    for (const json of bodies) refuses(await send(target, '/public/ads/tracking/click', { json }), 'clickToken');
    for (const json of [null, [], 'x', 7]) {
      failure(await send(target, '/public/ads/tracking/click', { json }), 'VALIDATION_ERROR');
    }
  }),
  promised('a token is valid for one click, and the second is 409', async (target) => {
    const clickToken = await anyToken(target);
    // A token in the query is ignored.
    refuses(await send(target, `/public/ads/tracking/click?clickToken=${clickToken}`, { json: {} }), 'clickToken');
    // A request that is refused does not use up the token.
    failure(await click(target, clickToken, { key: null }), 'UNAUTHORIZED');
    const page = await clickOrigin(target);
    const headers = { 'Content-Type': 'text/plain', ...(page !== undefined && { Origin: page }) };
    const asText = { body: JSON.stringify({ clickToken }), headers };
    failure(await send(target, '/public/ads/tracking/click', asText), 'UNSUPPORTED_MEDIA_TYPE');
    refuses(await click(target, [clickToken]), 'clickToken');
    accepted(await click(target, clickToken));
    failure(await click(target, clickToken), 'CLICK_TOKEN_USED');
    failure(await click(target, clickToken), 'CLICK_TOKEN_USED');
    holds((await click(target, respelled(clickToken))).status !== 200, 'a used token in another spelling is refused');
  }),
  section({ section: 'decided', effect: 'counts' })('a page may read why its click was refused', async (target) => {
    const clickToken = await anyToken(target);
    accepted(await click(target, clickToken));
    for (const token of [clickToken, 'nonsense', '']) {
      const { headers, status } = await click(target, token);
      equal(headers.get('access-control-allow-origin'), '*', `${status}: Access-Control-Allow-Origin`);
    }
  }),
  promised('only one of 200 concurrent replays of a token is accepted', async (target) => {
    const clickToken = await anyToken(target);
    const responses = await Promise.all(Array.from({ length: 200 }, () => click(target, clickToken)));
    equal(responses.filter(({ status }) => status === 200).length, 1, 'responds with 200');
    for (const response of responses) if (response.status !== 200) failure(response, 'CLICK_TOKEN_USED');
  }),
  promised('a repeated click on an ad looks the same as a counted one', async (target) => {
    // The other cases click on ads of the first format, and only the first click on an ad is counted.
    const format = await findFilledFormat(target, AD_FORMATS.toReversed());
    const seen = new Map<string, TargetResponse[]>();
    for (let draw = 0; draw < DRAWS; draw += 1) {
      const { id, clickToken } = await deliver(target, format);
      const response = await click(target, clickToken);
      accepted(response);
      seen.set(id, [...(seen.get(id) ?? []), response]);
    }
    const repeated = [...seen.values()].filter(({ length }) => length > 1);
    if (repeated.length === 0) throw new Unchecked(`${DRAWS} deliveries of ${format} never showed an ad twice`);
    for (const [counted, ...repeats] of repeated) if (counted) looksTheSame(counted, repeats);
  }),
  promised('each token of a batch is valid for one click of its own', async (target) => {
    await filledFormat(target);
    const results = await deliverBatch(target, [...AD_FORMATS, ...AD_FORMATS]);
    const filled = results.filter((result) => result.filled);
    for (const { clickToken } of filled) accepted(await click(target, clickToken));
    for (const { clickToken } of filled) failure(await click(target, clickToken), 'CLICK_TOKEN_USED');
  }),
  counted('ips')('clicks from one IP address on one ad count once', async (target) => {
    const clickFrom = async (ip: string) => accepted(await click(target, await token(target, ip), { ip }));
    await counts(target, 1, async () => {
      for (let time = 0; time < 3; time += 1) await clickFrom('198.51.100.1');
    });
    await counts(target, 1, () => clickFrom('198.51.100.2'));
  }),
  counted('ips')('a replay is not counted, even from another IP address', async (target) => {
    const clickToken = await token(target);
    accepted(await click(target, clickToken, { ip: '198.51.100.11' }));
    await counts(target, 0, async () => {
      failure(await click(target, clickToken, { ip: '198.51.100.12' }), 'CLICK_TOKEN_USED');
    });
  }),
  counted('ips')('a click from the same IP address on another ad is not a repeat', async (target) => {
    const ip = '198.51.100.21';
    accepted(await click(target, await token(target, ip), { ip }));
    const { clickToken } = await deliver(target, 'BANNER');
    await counts(target, 1, async () => accepted(await click(target, clickToken, { ip })), AD.bannerHigh);
  }),
  section({ section: 'decided', effect: 'counts', needs: ['snapshot', 'adCounts', 'ips'] })(
    'an IPv6 address counts by its /64, and IPv4 written as IPv6 is the same address',
    async (target) => {
      const groups = [
        ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:0DB8:0001:0002:0000:0000:0000:0009'],
        ['2001:db8:1:3::1'],
        ['198.51.100.31', '::ffff:198.51.100.31'],
      ];
      for (const group of groups) {
        await counts(target, 1, async () => {
          for (const ip of group) accepted(await click(target, await token(target), { ip }));
        });
      }
    },
  ),
  counted('clock', 'ips')('the 30 minutes run from the last counted click', async (target) => {
    const ip = '198.51.100.41';
    const clickNow = async () => accepted(await click(target, await token(target, ip), { ip }));
    await counts(target, 1, clickNow);
    await target.clock?.advance(20 * MINUTE);
    await counts(target, 0, clickNow);
    // 30 minutes after the counted click, 10 after the repeat.
    await target.clock?.advance(10 * MINUTE + 1000);
    await counts(target, 1, clickNow);
    await target.clock?.advance(29 * MINUTE);
    await counts(target, 0, clickNow);
  }),
];
