import type { Outcome } from '../calls/perform.ts';
import type { Task } from '../calls/task.ts';
import type { refuse } from '../check-options.ts';
import type { Attempt } from '../errors/error-facts.ts';
import type { BroadsheetError } from '../errors/errors.ts';
import type { AdDeliverySlotResult, AdSlot } from '../generated/resources.ts';
import type { AdOptions, Ads, BatchOptions, Placement } from './ads.ts';
import type { KnownTokens } from './known-tokens.ts';

/** What the calls about ads have in common. */
export interface AdCalls extends Pick<Ads, 'click' | 'deliverBatch'> {
  readonly tokens: KnownTokens;
  readonly refuse: typeof refuse;
  /** Slots of one request. */
  readonly most: number;
  send(task: Omit<Task, 'options' | 'headers'>, options: AdOptions): Promise<Outcome>;
}

/**
 * Delivers to many slots, in parts of as many as one request may have. All parts share one deadline; when a later one
 * fails the delivered ads are given nevertheless, for their impressions are counted.
 */
export async function deliverInParts(
  { tokens, send, most }: AdCalls,
  slots: readonly AdSlot[],
  options: BatchOptions,
): Promise<Outcome> {
  const since = performance.now();
  const results: AdDeliverySlotResult[] = [];
  const attempts: Attempt[] = [];
  let last: Outcome | undefined;
  let incomplete: BroadsheetError | undefined;
  for (let from = 0; from < slots.length || !last; from += most) {
    const part = slots.slice(from, from + most);
    try {
      if (!incomplete) last = await send({ id: 'ads.deliverBatch', body: { slots: part }, since }, options);
    } catch (error) {
      if (!last) throw error;
      incomplete = error as BroadsheetError;
    }
    if (incomplete) results.push(...part.map((slot) => ({ ...slot, filled: false as const })));
    else if (last) {
      results.push(...(last.data as AdDeliverySlotResult[]));
      attempts.push(...last.info.attempts);
    }
  }
  for (const result of results) if (result.filled) tokens.remember(result.clickToken);
  return { data: results, info: { ...last.info, attempts, incomplete } };
}

/** Delivers to many slots, and gives each result what it needs to be clicked. */
export async function place(
  { tokens, deliverBatch, click, refuse }: AdCalls,
  slots: readonly AdSlot[],
  options: BatchOptions,
): Promise<Placement[]> {
  const results = await deliverBatch(slots, options);
  const { visitor, trust } = options;
  return results.map((result) => {
    const { slotId, format, ...ad } = result;
    const delivered = ad.filled ? ad : undefined;
    const expiresAt = delivered && tokens.get(delivered.clickToken)?.expiresAt;
    return {
      slotId,
      format,
      ad: delivered,
      expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt),
      click: (how = {}) =>
        delivered
          ? click(delivered.clickToken, { visitor, trust, ...how })
          : Promise.reject(refuse('ads.click', `ads.click: slot ${slotId} has no ad.`)),
    };
  });
}
