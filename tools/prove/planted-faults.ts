import type { Target } from './deployment.ts';

/** A fault to plant in a copy of the code: the tool must find it. */
export interface PlantedFault {
  readonly name: string;
  /** Its path from the root of the repository. */
  readonly file: string;
  /** A text that occurs once in the file, and what replaces it. */
  readonly text: string;
  readonly by: string;
  readonly target: Target;
}

const STORE = 'packages/store/src';

export const PLANTED_FAULTS: readonly PlantedFault[] = [
  {
    name: 'a key is decided in one commit, and its impressions are counted in another',
    file: `${STORE}/events/deliveries.ts`,
    text: 'await tally.write(writer);',
    by: 'await writer.db`commit`;\n  await writer.db`begin immediate`;\n  await tally.write(writer);',
    target: 'sqlite',
  },
  {
    name: 'a delivery that failed is counted again',
    file: `${STORE}/events/group-commit.ts`,
    text: 'const results = await commit(group.map(({ item }) => item));',
    by: 'const items = group.map(({ item }) => item);\n        const results = await commit(items);\n        if (Math.random() < 0.01) await commit(items);',
    target: 'postgres',
  },
  {
    name: 'an idempotency key expires after a second',
    file: 'packages/contract/src/limits.ts',
    text: 'idempotencyWindow: 10 * 60 * 1000,',
    by: 'idempotencyWindow: 1000,',
    target: 'postgres',
  },
  {
    name: 'a token may be used twice',
    file: `${STORE}/events/tokens.ts`,
    text: 'const fresh = await useTokens(writer, insertUsed, clicks);',
    by: 'await useTokens(writer, insertUsed, clicks);\n  const fresh = new Set(clicks);',
    target: 'sqlite',
  },
  {
    name: 'a viewable impression is counted for each report',
    file: `${STORE}/events/tokens.ts`,
    text: 'const fresh = await useTokens(writer, insertViewed, items);',
    by: 'await useTokens(writer, insertViewed, items);\n  const fresh = new Set(items);',
    target: 'sqlite',
  },
  {
    name: 'each process admits one delivery in five without a look at goals and caps',
    file: 'packages/core/src/ads/fill-slots.ts',
    text: '|| !admits(one.campaign, { ...one, today }, at, blog.traffic)) return false;',
    by: '|| (Math.random() < 0.8 && !admits(one.campaign, { ...one, today }, at, blog.traffic))) return false;',
    target: 'postgres',
  },
  {
    name: 'every day is a day in UTC',
    file: 'packages/core/src/ads/day.ts',
    text: "new Intl.DateTimeFormat('sv-SE', { timeZone,",
    by: "new Intl.DateTimeFormat('sv-SE', { timeZone: 'UTC',",
    target: 'sqlite',
  },
  {
    name: 'cached responses survive a change',
    file: 'packages/core/src/http/response-cache.ts',
    text: '{blog.revision} $',
    by: '',
    target: 'sqlite',
  },
  {
    name: 'the blog of a key stays cached although another process changed it',
    file: `${STORE}/sql-store.ts`,
    text: 'database.changes.listen(forget);',
    by: '',
    target: 'postgres',
  },
  {
    name: 'a rotation leaves one of the old keys valid',
    file: `${STORE}/blogs/keys.ts`,
    text: 'and revoked_at is null and',
    by: 'and revoked_at is null and created_at > (select min(created_at) from api_keys) and',
    target: 'sqlite',
  },
  {
    name: 'every tenth change is not reported to webhooks',
    file: `${STORE}/webhooks/outbox.ts`,
    text: 'if (changes.length === 0) return [];',
    by: 'if (changes.length === 0 || Math.random() < 0.1) return [];',
    target: 'sqlite',
  },
  {
    name: 'nginx sends a delivery to another process after a failure',
    file: 'deploy/nginx/site.conf',
    text: '  location /public/ads/ {\n    proxy_pass http://broadsheet;\n    proxy_next_upstream off;',
    by: '  location /public/ads/ {\n    proxy_pass http://broadsheet;\n    proxy_next_upstream error timeout non_idempotent;',
    target: 'postgres',
  },
  {
    name: 'nothing is delivered',
    file: 'packages/core/src/ads/delivery.ts',
    text: 'const newId = random.uuid();',
    by: "const newId = random.uuid();\n    if (newId) throw new ApiError('UNAVAILABLE');",
    target: 'sqlite',
  },
  {
    name: 'clicks are counted on another day, for no placement and no campaign',
    file: `${STORE}/events/tokens.ts`,
    text: "tally.add({ ...click, day: dayOf(click.at, click.timeZone) }, 'clicks');",
    by: "tally.add({ ...click, day: '2001-01-01', placement: 'nowhere', campaignId: undefined }, 'clicks');",
    target: 'sqlite',
  },
  {
    name: 'seven of ten valid clicks are refused',
    file: 'packages/core/src/ads/click.ts',
    text: 'const claims = await readClickToken(',
    by: "if (Math.random() < 0.7) throw new ApiError('CLICK_TOKEN_INVALID');\n  const claims = await readClickToken(",
    target: 'sqlite',
  },
  {
    name: 'viewable impressions are counted on another day',
    file: `${STORE}/events/tokens.ts`,
    text: "for (const impression of fresh) tally.add(impression, 'viewable');",
    by: "for (const impression of fresh) tally.add({ ...impression, day: '2001-01-01' }, 'viewable');",
    target: 'sqlite',
  },
  {
    name: 'viewable impressions are counted on the day of UTC',
    file: 'packages/core/src/ads/click.ts',
    text: 'jti, iat, exp, day = dayOf(iat * 1000) } = claims;',
    by: 'jti, iat, exp } = claims;\n  const day = dayOf(iat * 1000);',
    target: 'sqlite',
  },
  {
    name: 'a paused ad is delivered for ever',
    file: 'packages/core/src/ads/delivery.ts',
    text: 'if (known?.revision === revision) return known.inventory;',
    by: 'if (known) return known.inventory;',
    target: 'sqlite',
  },
];
