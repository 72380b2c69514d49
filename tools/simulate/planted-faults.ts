/** A fault to plant in a copy of the code: a simulation must find it. */
export interface SimulatedFault {
  readonly name: string;
  /** Its path from the root of the repository. */
  readonly file: string;
  /** A text that occurs once in the file, and what replaces it. */
  readonly text: string;
  readonly by: string;
}

const ADS = 'packages/core/src/ads';
const EVENTS = 'packages/store/src/events';

export const SIMULATED_FAULTS: readonly SimulatedFault[] = [
  {
    name: 'nothing is delivered',
    file: `${ADS}/delivery.ts`,
    text: 'const newId = random.uuid();',
    by: "const newId = random.uuid();\n    if (newId) throw new ApiError('UNAVAILABLE');",
  },
  {
    name: 'seven of ten valid clicks are refused',
    file: `${ADS}/click.ts`,
    text: 'const claims = await readClickToken(',
    by: "if (Math.random() < 0.7) throw new ApiError('CLICK_TOKEN_INVALID');\n  const claims = await readClickToken(",
  },
  {
    name: 'clicks are counted on another day, for no placement and no campaign',
    file: `${EVENTS}/tokens.ts`,
    text: "tally.add({ ...click, day: dayOf(click.at, click.timeZone) }, 'clicks');",
    by: "tally.add({ ...click, day: '2001-01-01', placement: 'nowhere', campaignId: undefined }, 'clicks');",
  },
  {
    name: 'clicks are counted for no campaign',
    file: `${EVENTS}/tokens.ts`,
    text: "tally.add({ ...click, day: dayOf(click.at, click.timeZone) }, 'clicks');",
    by: "tally.add({ ...click, campaignId: undefined, day: dayOf(click.at, click.timeZone) }, 'clicks');",
  },
  {
    name: 'clicks are counted on the day of UTC',
    file: `${EVENTS}/tokens.ts`,
    text: 'day: dayOf(click.at, click.timeZone)',
    by: 'day: dayOf(click.at)',
  },
  {
    name: 'viewable impressions are counted on another day',
    file: `${EVENTS}/tokens.ts`,
    text: "for (const impression of fresh) tally.add(impression, 'viewable');",
    by: "for (const impression of fresh) tally.add({ ...impression, day: '2001-01-01' }, 'viewable');",
  },
  {
    name: 'viewable impressions are counted on the day of UTC',
    file: `${ADS}/click.ts`,
    text: 'jti, iat, exp, day = dayOf(iat * 1000) } = claims;',
    by: 'jti, iat, exp } = claims;\n  const day = dayOf(iat * 1000);',
  },
  {
    name: 'a replay after midnight moves the view to the new day',
    file: `${ADS}/delivery.ts`,
    text: 'day = dayOf(now, blog.timeZone) } = first ?? {};',
    by: 'day = dayOf(now, blog.timeZone) } = { ...first, day: undefined };',
  },
  {
    name: 'a token may be used twice',
    file: `${EVENTS}/tokens.ts`,
    text: 'const fresh = await useTokens(writer, insertUsed, clicks);',
    by: 'await useTokens(writer, insertUsed, clicks);\n  const fresh = new Set(clicks);',
  },
  {
    name: 'a viewable impression is counted for each report',
    file: `${EVENTS}/tokens.ts`,
    text: 'const fresh = await useTokens(writer, insertViewed, items);',
    by: 'await useTokens(writer, insertViewed, items);\n  const fresh = new Set(items);',
  },
  {
    name: 'the window for repeated clicks is a millisecond too long',
    file: `${ADS}/click.ts`,
    text: 'repeatSince: at - LIMITS.clickDedupWindow + 1,',
    by: 'repeatSince: at - LIMITS.clickDedupWindow,',
  },
  {
    name: 'clicks are repeats for an hour',
    file: `${ADS}/click.ts`,
    text: 'repeatSince: at - LIMITS.clickDedupWindow + 1,',
    by: 'repeatSince: at - 2 * LIMITS.clickDedupWindow + 1,',
  },
  {
    name: 'a token is accepted in the millisecond of its expiry',
    file: `${ADS}/click.ts`,
    text: 'if (at >= claims.exp * 1000) throw',
    by: 'if (at > claims.exp * 1000) throw',
  },
  {
    name: 'a page of another site may report clicks',
    file: `${ADS}/click.ts`,
    text: 'if (!originAllowed(blog.domains, provenance)) {',
    by: 'if (!originAllowed(blog.domains, provenance) && blog.domains.length > 1) {',
  },
  {
    name: 'bots use up goals and caps within their commit',
    file: `${ADS}/fill-slots.ts`,
    text: '    if (isExcluded(delivery)) return true;\n',
    by: '',
  },
  {
    name: 'one in five deliveries is admitted without a look at goals and caps',
    file: `${ADS}/fill-slots.ts`,
    text: '|| !admits(one.campaign, { ...one, today }, at, blog.traffic)) return false;',
    by: '|| (Math.random() < 0.8 && !admits(one.campaign, { ...one, today }, at, blog.traffic))) return false;',
  },
  {
    name: 'an ad fills two slots of a delivery',
    file: `${ADS}/fill-slots.ts`,
    text: '    tried.add(adId);\n',
    by: '',
  },
  {
    name: 'the campaign that is furthest behind does not come first',
    file: `${ADS}/fill-slots.ts`,
    text: 'if (ids.size < 2) return adIds;',
    by: 'if (ids.size > 0) return adIds;',
  },
  {
    name: 'an ad is delivered in the millisecond of its end',
    file: `${ADS}/inventory.ts`,
    text: 'if (now < current.from || now >= current.until) current = sort(candidates, now);',
    by: 'if (now < current.from || now > current.until) current = sort(candidates, now);',
  },
  {
    name: 'a paused ad is delivered for ever',
    file: `${ADS}/delivery.ts`,
    text: 'if (known?.revision === revision) return known.inventory;',
    by: 'if (known) return known.inventory;',
  },
  {
    name: 'the priority decides before house campaigns come last',
    file: `${ADS}/inventory.ts`,
    text: 'Number(isHouse(a)) - Number(isHouse(b)) || b.ad.priority - a.ad.priority;',
    by: 'b.ad.priority - a.ad.priority || Number(isHouse(a)) - Number(isHouse(b));',
  },
  {
    name: 'a goal is exceeded by one',
    file: `${ADS}/campaign.ts`,
    text: 'progress[what] < wanted &&',
    by: 'progress[what] <= wanted &&',
  },
  {
    name: 'a daily cap is exceeded by one',
    file: `${ADS}/campaign.ts`,
    text: 'progress.today >= perDay) return false;',
    by: 'progress.today > perDay) return false;',
  },
  {
    name: 'an even pace is not kept',
    file: `${ADS}/campaign.ts`,
    text: 'const isPaced = ({ endsAt, goal, pace }: Campaign): boolean => pace ===',
    by: "const isPaced = ({ endsAt, goal, pace }: Campaign): boolean => pace !== 'even' && pace ===",
  },
  {
    name: 'the unfinished hour counts as usual traffic',
    file: `${ADS}/campaign.ts`,
    text: 'hour < current && hour >= current - TRAFFIC_HOURS',
    by: 'hour <= current && hour >= current - TRAFFIC_HOURS',
  },
  {
    name: 'a paused campaign runs',
    file: `${ADS}/campaign.ts`,
    text: 'if (paused || now < from || now >= until) return false;',
    by: 'if (now < from || now >= until) return false;',
  },
  {
    name: 'every day is a day in UTC',
    file: `${ADS}/day.ts`,
    text: "new Intl.DateTimeFormat('sv-SE', { timeZone,",
    by: "new Intl.DateTimeFormat('sv-SE', { timeZone: 'UTC',",
  },
  {
    name: 'a day is cached for an hour',
    file: `${ADS}/day.ts`,
    text: 'const minute = Math.floor(at / MINUTE);\n  if (zone.minute',
    by: 'const minute = Math.floor(at / HOUR);\n  if (zone.minute',
  },
  {
    name: 'a key is decided in one commit, and its impressions are counted in another',
    file: `${EVENTS}/deliveries.ts`,
    text: 'await tally.write(writer);',
    by: 'await writer.db`commit`;\n  await writer.db`begin immediate`;\n  await tally.write(writer);',
  },
  {
    name: 'a delivery that failed is counted again',
    file: `${EVENTS}/group-commit.ts`,
    text: 'const results = await commit(group.map(({ item }) => item));',
    by: 'const items = group.map(({ item }) => item);\n    const results = await commit(items);\n    if (Math.random() < 0.01) await commit(items);',
  },
  {
    name: 'results are given before their commit',
    file: 'packages/store/src/sqlite/driver.ts',
    text: '        await execute(COMMIT);\n',
    by: '        execute(COMMIT);\n',
  },
  {
    name: 'an idempotency key expires after a second',
    file: 'packages/contract/src/limits.ts',
    text: 'idempotencyWindow: 10 * 60 * 1000,',
    by: 'idempotencyWindow: 1000,',
  },
  {
    name: 'an idempotency key is in use a millisecond too long',
    file: `${EVENTS}/deliveries.ts`,
    text: 'where deliveries.at <= excluded.at -',
    by: 'where deliveries.at < excluded.at -',
  },
  {
    name: 'the same key with another body is a replay',
    file: `${EVENTS}/deliveries.ts`,
    text: "outcome: key.request_hash === idempotency?.requestHash ? 'replayed' : 'mismatched',",
    by: "outcome: 'replayed',",
  },
  {
    name: 'a prefetch counts like a reader',
    file: `${ADS}/traffic.ts`,
    text: "if (purpose?.toLowerCase().includes('prefetch')) return 'prefetch';",
    by: "if (purpose === 'prefetch') return 'prefetch';",
  },
  {
    name: 'a request without a page counts like a reader',
    file: `${ADS}/traffic.ts`,
    text: "    if (isForeign) return 'foreign';\n",
    by: '',
  },
  {
    name: 'a visitor has one more request before a burst',
    file: `${ADS}/traffic.ts`,
    text: 'return visited > MOST_PER_MINUTE[from];',
    by: 'return visited > MOST_PER_MINUTE[from] + 1;',
  },
  {
    name: 'clicks of excluded traffic are counted for campaigns',
    file: `${EVENTS}/counts.ts`,
    text: "if (campaign_id === '' || what === 'viewable' || isExcluded(event)) return;",
    by: "if (campaign_id === '' || what === 'viewable') return;",
  },
  {
    name: 'the counts of a row within a commit are not added up',
    file: `${EVENTS}/counts.ts`,
    text: '    row[what] += 1;\n',
    by: '    row[what] = 1;\n',
  },
];
