import type { SimulationRule } from '../simulate/rules.ts';

/** A sentence that the documentation promises, and what would notice that it is broken. */
export interface DocumentedPromise {
  /** A sentence of docs/reliability.md, or a point of docs/decided.md. */
  readonly sentence: string;
  /** The dimensions in which the counts are compared. */
  readonly by?: readonly ('ad' | 'day' | 'campaign' | 'placement' | 'traffic' | 'format' | 'blog')[];
  /** The rules of `pnpm prove`. */
  readonly prove?: readonly string[];
  /** The rules of `pnpm simulate`. */
  readonly simulate?: readonly SimulationRule[];
  /** Faults to plant that these rules find. */
  readonly faults?: readonly string[];
  /** Tests, by their paths, of what neither of the two can see. */
  readonly tests?: readonly string[];
}

const counted = (what: string, ...dimensions: readonly string[]): string[] =>
  dimensions.map((dimension) => `acknowledged <= counted <= sent: ${what} by ${dimension}`);
const ALL = ['blog', 'ad', 'day', 'campaign', 'placement', 'traffic'] as const;

/** The sentences of "What is promised" in docs/reliability.md. */
export const PROMISES: readonly DocumentedPromise[] = [
  {
    sentence: 'An impression that was acknowledged is counted',
    by: [...ALL, 'format'],
    prove: [
      ...counted('impressions', 'ad and day', 'format', 'campaign', 'placement', 'traffic'),
      'the figures of a campaign are the sum of its ads',
    ],
    simulate: ['impressions are counted exactly', 'a delivery that is acknowledged was recorded'],
    faults: ['the counts of a row within a commit are not added up', 'every day is a day in UTC'],
  },
  {
    sentence: 'A response with ads is sent after its impressions are on disk.',
    simulate: ['a delivery that is acknowledged was recorded'],
    faults: ['results are given before their commit'],
    tests: ['packages/store/test/durable-settings.test.ts'],
  },
  {
    sentence: 'A crash, `kill -9` or a lost database connection loses none of them.',
    prove: counted('impressions', 'ad and day'),
    simulate: ['a delivery is counted as a whole', 'impressions are counted exactly', 'everything ends'],
    faults: ['results are given before their commit'],
  },
  {
    sentence: 'A delivery is counted once',
    prove: ['an idempotency key has one ad for each slot', ...counted('impressions', 'ad and day')],
    simulate: ['a key counts once within ten minutes', 'a repeat gets the same ads'],
    faults: ['an idempotency key expires after a second', 'a delivery that failed is counted again'],
  },
  {
    sentence:
      'Requests with the same idempotency key are counted once within ten minutes, regardless of the process that responds.',
    prove: ['an idempotency key has one ad for each slot'],
    simulate: ['a key counts once within ten minutes', 'a key is stored with what it counted'],
    faults: [
      'an idempotency key is in use a millisecond too long',
      'a key is decided in one commit, and its impressions are counted in another',
    ],
  },
  {
    sentence:
      'The SDK and the widget never repeat a delivery that may have been counted, unless the server accepts keys.',
    prove: counted('impressions', 'ad and day'),
    tests: ['packages/ad-widget/test/money.long.test.ts'],
  },
  {
    sentence: 'Nothing is counted that was not requested',
    by: ALL,
    prove: [
      ...counted('impressions', 'ad and day', 'placement'),
      ...counted('clicks', 'ad and day', 'campaign', 'placement'),
      ...counted('viewable impressions', 'ad and day', 'campaign', 'placement'),
    ],
    simulate: ['impressions are counted exactly', 'clicks are counted exactly', 'views are counted exactly'],
    faults: ['clicks are counted on another day, for no placement and no campaign'],
  },
  {
    sentence: 'A delivery that is refused, with an error of the API that says it may be repeated, has counted nothing.',
    prove: ['every refusal has a reason', 'after the last fault, every request succeeds'],
    simulate: ['every refusal has a reason', 'a 503 has a reason', 'impressions are counted exactly'],
    faults: ['nothing is delivered', 'seven of ten valid clicks are refused'],
  },
  {
    sentence:
      'If the connection between a server and PostgreSQL breaks during a commit, the server asks PostgreSQL what became of it.',
    prove: counted('impressions', 'ad and day'),
    tests: ['packages/store/test/lost-commit.test.ts'],
  },
  {
    sentence:
      'Only if there is no answer within two seconds, the response is 500 with `retryable: false`, and the delivery has been counted or not.',
    prove: ['every refusal has a reason'],
    tests: ['packages/store/test/lost-commit.test.ts'],
  },
  {
    sentence: 'A click token is accepted once',
    prove: ['a token has one 200'],
    simulate: ['a token is accepted once'],
    faults: ['a token may be used twice'],
  },
  {
    sentence: 'Of any number of requests with the same token, in any number of processes, exactly one is successful.',
    prove: ['a token has one 200', 'every refusal has a reason'],
    simulate: ['a token is accepted once', 'clicks are counted exactly'],
    faults: ['a token may be used twice', 'seven of ten valid clicks are refused'],
  },
  {
    sentence: 'A viewable impression is counted once',
    by: ALL,
    prove: counted('viewable impressions', 'ad and day', 'campaign', 'placement'),
    simulate: ['views are counted exactly', 'the views of valid tokens are recorded'],
    faults: ['a viewable impression is counted for each report'],
  },
  {
    sentence: 'However often a page reports it, and on the day of its delivery.',
    by: ['day'],
    prove: counted('viewable impressions', 'ad and day'),
    simulate: ['views are counted exactly', 'a token says how its impression was counted'],
    faults: [
      'viewable impressions are counted on another day',
      'viewable impressions are counted on the day of UTC',
      'a replay after midnight moves the view to the new day',
    ],
  },
  {
    sentence: 'Goals and daily caps are exact',
    by: ['campaign', 'day'],
    prove: ['no goal is exceeded', 'no daily cap is exceeded'],
    simulate: ['only ads that the law allows are delivered'],
    faults: ['a goal is exceeded by one', 'a daily cap is exceeded by one'],
  },
  {
    sentence: 'No number of processes exceeds them, not even for a moment.',
    by: ['campaign', 'day'],
    prove: ['no goal is exceeded at any moment', 'no daily cap is exceeded at any moment'],
    simulate: ['only ads that the law allows are delivered'],
    faults: [
      'one in five deliveries is admitted without a look at goals and caps',
      'each process admits one delivery in five without a look at goals and caps',
    ],
  },
  {
    sentence: 'A change is visible within a second',
    prove: [
      ...['no read goes back in time', 'no list goes back in time', 'no search goes back in time'],
      ...['no 304 is about an earlier state', 'a paused ad is not delivered after a second'],
      'every command is carried out',
    ],
    simulate: ['a response has the ads that were counted', 'every command is carried out'],
    faults: ['cached responses survive a change'],
  },
  {
    sentence:
      'No process returns a post, an ad or a key as it was more than a second after the change was acknowledged.',
    prove: [
      'no read goes back in time',
      'a paused ad is not delivered after a second',
      'a slot has an ad if one must run',
    ],
    simulate: ['only ads that the law allows are delivered'],
    faults: ['a paused ad is delivered for ever', 'the blog of a key stays cached although another process changed it'],
  },
  {
    sentence: 'A revoked key is refused within a second',
    prove: ['a revoked key is refused after a second'],
    faults: ['a rotation leaves one of the old keys valid'],
  },
  {
    sentence: 'Even while the database is unavailable, or a process has no connection to it.',
    prove: ['a revoked key is refused after a second'],
    tests: ['packages/store/src/postgres/changes.test.ts'],
  },
  {
    sentence: 'A webhook arrives',
    prove: ['every webhook arrives'],
    faults: ['every tenth change is not reported to webhooks'],
  },
  {
    sentence: 'A change and its messages are one transaction.',
    prove: ['every webhook arrives'],
    faults: ['every tenth change is not reported to webhooks'],
  },
  {
    sentence:
      'Messages about one post arrive in order, and the newest state always arrives; a message may arrive twice, with the same id.',
    prove: ['messages about a post arrive in order', 'every webhook arrives'],
    faults: ['every tenth change is not reported to webhooks'],
  },
];

const CONFORMANCE = 'packages/conformance/src/cases';

/** The points under "Ads" and "Clicks" in docs/decided.md. */
export const DECISIONS: readonly DocumentedPromise[] = [
  {
    sentence: 'Which ads are eligible',
    by: ['ad'],
    simulate: ['only ads that the law allows are delivered'],
    prove: ['a slot has an ad if one must run'],
    faults: ['an ad is delivered in the millisecond of its end', 'a paused ad is delivered for ever'],
  },
  {
    sentence: 'Which impressions count for campaigns',
    by: ['traffic', 'campaign'],
    simulate: ['only ads that the law allows are delivered', 'clicks are counted exactly'],
    faults: ['bots use up goals and caps within their commit', 'clicks of excluded traffic are counted for campaigns'],
  },
  {
    sentence: 'How traffic is classified',
    by: ['traffic'],
    simulate: ['traffic is classified'],
    prove: counted('impressions', 'traffic'),
    faults: [
      'a prefetch counts like a reader',
      'a request without a page counts like a reader',
      'a visitor has one more request before a burst',
    ],
  },
  {
    sentence: 'When a campaign admits an ad',
    by: ['campaign', 'day'],
    simulate: ['only ads that the law allows are delivered'],
    faults: ['an even pace is not kept', 'the unfinished hour counts as usual traffic', 'a paused campaign runs'],
  },
  {
    sentence: 'Placements of a campaign',
    by: ['placement'],
    simulate: ['only ads that the law allows are delivered'],
    tests: ['packages/core/src/ads/placements.test.ts'],
  },
  {
    sentence: 'Ads of equal priority',
    simulate: ['only ads that the law allows are delivered'],
    faults: ['the campaign that is furthest behind does not come first'],
  },
  { sentence: 'A format outside the enum', tests: [`${CONFORMANCE}/delivery.ts`] },
  {
    sentence: 'Ads of house campaigns',
    simulate: ['only ads that the law allows are delivered'],
    faults: ['the priority decides before house campaigns come last'],
  },
  {
    sentence: 'A batch',
    simulate: ['only ads that the law allows are delivered'],
    faults: ['an ad fills two slots of a delivery'],
  },
  { sentence: '`slotId`', tests: [`${CONFORMANCE}/batch.ts`] },
  {
    sentence: 'The day of an event',
    by: ['day'],
    simulate: ['impressions are counted exactly', 'clicks are counted exactly', 'views are counted exactly'],
    prove: counted('clicks', 'ad and day'),
    faults: ['every day is a day in UTC', 'a day is cached for an hour', 'clicks are counted on the day of UTC'],
  },
  { sentence: 'A date without a time', tests: ['packages/core/src/ads/day.test.ts'] },
  {
    sentence: 'Figures',
    by: ALL,
    simulate: ['impressions are counted exactly', 'a token says how its impression was counted'],
    faults: ['clicks are counted for no campaign'],
  },
  {
    sentence: 'Placements',
    by: ['placement'],
    simulate: ['impressions are counted exactly'],
    tests: ['packages/store/test/store-suite.test.ts'],
  },
  {
    sentence: 'Impressions',
    simulate: ['a delivery that is acknowledged was recorded'],
    faults: ['results are given before their commit'],
  },
  {
    sentence: 'Repeating a delivery',
    simulate: [
      'a key counts once within ten minutes',
      'a repeat gets the same ads',
      'a response has the ads that were counted',
    ],
    faults: ['the same key with another body is a replay', 'an idempotency key is in use a millisecond too long'],
  },
  { sentence: 'Response headers for the key', tests: [`${CONFORMANCE}/idempotency.ts`] },
  {
    sentence: 'Viewable ads',
    simulate: ['the views of valid tokens are recorded', 'views are counted exactly'],
    faults: ['a viewable impression is counted for each report'],
    tests: [`${CONFORMANCE}/viewable.ts`],
  },
  {
    sentence: 'Clicks on a replay',
    simulate: ['a token is accepted once', 'every refusal has a reason'],
    faults: ['a token may be used twice'],
  },
  { sentence: '`Content-Type`', tests: [`${CONFORMANCE}/bodies.ts`] },
  { sentence: 'Size of a body', tests: [`${CONFORMANCE}/bodies.ts`] },
  {
    sentence: 'The token',
    simulate: ['a token says how its impression was counted', 'every refusal has a reason'],
    faults: ['a token is accepted in the millisecond of its expiry'],
  },
  {
    sentence: 'Where a click may come from',
    simulate: ['every refusal has a reason'],
    faults: ['a page of another site may report clicks'],
  },
  { sentence: 'An import without domains', tests: ['packages/store/test/staged-import.test.ts'] },
  { sentence: 'An import without keys', tests: ['packages/store/test/staged-import.test.ts'] },
  { sentence: 'Domains', tests: ['packages/core/src/ads/traffic.test.ts'] },
  {
    sentence: 'One click per token',
    prove: ['a token has one 200'],
    simulate: ['a token is accepted once', 'clicks are counted exactly', 'the time of an event is that of its process'],
    faults: ['a token may be used twice'],
  },
  {
    sentence: 'Repeats',
    simulate: ['clicks are counted exactly', 'nothing fails unexpectedly'],
    faults: ['the window for repeated clicks is a millisecond too long', 'clicks are repeats for an hour'],
  },
];
