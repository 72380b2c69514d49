import { LIMITS } from '@broadsheet/contract';
import type { AdDeliveryResult, AdDeliverySlotResult, AdFormat, AdSlot, AdTrackingResult } from './ad.ts';
import type { Ads, BatchOptions, ClickOptions, Codes } from './ads.ts';
import { Call } from './call.ts';
import { readTokenLife } from './click-token.ts';
import { InputError } from './error-kinds.ts';
import { type Outcome, perform } from './perform.ts';
import { adOf, type Placement } from './placement.ts';
import type { Settings } from './settings.ts';
import { refuse } from './task.ts';
import { visitorHeaders } from './visitor.ts';

interface KnownToken {
  /** By the clock of this machine: its life counts from the moment it came, so a wrong clock does no harm. */
  readonly expiresAt: number;
  click?: Call<AdTrackingResult> | undefined;
}

/** Makes the calls about ads. */
export function createAds(settings: Settings): Ads {
  const tokens = new Map<string, KnownToken>();

  const remember = (token: string): KnownToken => {
    const now = Date.now();
    for (const [old, { expiresAt }] of tokens) if (expiresAt <= now) tokens.delete(old);
    const life = readTokenLife(token);
    const known = { expiresAt: life ? now + life.expiresAt - life.issuedAt : now + LIMITS.clickTokenTtl * 1000 };
    tokens.set(token, known);
    return known;
  };

  const deliver = ((what: AdFormat | readonly AdSlot[], options: BatchOptions = {}) => {
    if (typeof what !== 'string') return new Call(() => batch(what, options));
    const { visitor } = options;
    return new Call(async () => {
      const outcome = await perform(settings, {
        id: 'ads.deliver',
        params: { format: what },
        options,
        headers: visitorHeaders(visitor),
      });
      const ad = outcome.data as AdDeliveryResult;
      if (ad.filled) remember(ad.clickToken);
      return outcome;
    });
  }) as Ads['deliver'];

  async function batch(slots: readonly AdSlot[], options: BatchOptions): Promise<Outcome> {
    const { max } = LIMITS.slots;
    if (slots.length > max && !options.split) {
      const message = `ads.deliver: ${slots.length} slots are more than the ${max} of one request: ask for fewer, or pass { split: true } and accept that ads may repeat.`;
      throw refuse('ads.deliverBatch', message);
    }
    const results: AdDeliverySlotResult[] = [];
    let last: Outcome | undefined;
    for (let from = 0; from < slots.length || !last; from += max) {
      last = await perform(settings, {
        id: 'ads.deliverBatch',
        body: { slots: slots.slice(from, from + max) },
        options,
        headers: visitorHeaders(options.visitor),
      });
      results.push(...(last.data as AdDeliverySlotResult[]));
    }
    for (const result of results) if (result.filled) remember(result.clickToken);
    return { ...last, data: results };
  }

  function click(token: string, options: ClickOptions = {}): Call<AdTrackingResult, Codes<'ads.click'>> {
    const known = tokens.get(token);
    if (known?.click) return known.click as Call<AdTrackingResult, Codes<'ads.click'>>;
    const expiresAt = known?.expiresAt ?? readTokenLife(token)?.expiresAt;
    const { keepalive = true, visitor, ...rest } = options;
    const call = new Call<AdTrackingResult, Codes<'ads.click'>>(async () => {
      if (expiresAt !== undefined && expiresAt <= Date.now()) throw expired(expiresAt);
      return perform(settings, {
        id: 'ads.click',
        body: { clickToken: token },
        options: { ...rest, fetchOptions: { ...rest.fetchOptions, keepalive } },
        headers: visitorHeaders(visitor),
      });
    });
    const entry = known ?? remember(token);
    entry.click = call;
    // A click that failed may be tried again by whoever wants to.
    void call.safe().then(({ ok }) => {
      if (!ok) entry.click = undefined;
    });
    return call;
  }

  const place = async (slots: readonly AdSlot[], options: BatchOptions = {}): Promise<Placement[]> => {
    const results = await deliver(slots, options);
    return results.map((result) => {
      const ad = adOf(result);
      const token = ad?.clickToken;
      return {
        slotId: result.slotId,
        format: result.format,
        ad,
        expiresAt: token === undefined ? undefined : new Date(tokens.get(token)?.expiresAt ?? 0),
        click: (how = {}) =>
          token === undefined
            ? Promise.reject(refuse('ads.click', `ads.click: slot ${result.slotId} has no ad.`))
            : click(token, { ...(options.visitor ? { visitor: options.visitor } : {}), ...how }),
      };
    });
  };

  return {
    deliver,
    deliverBatch: (slots, options) => deliver(slots, options),
    place,
    click,
    impression: ({ visitor, ...options } = {}) =>
      new Call(() => perform(settings, { id: 'ads.impression', options, headers: visitorHeaders(visitor) })),
  };
}

function expired(at: number): InputError {
  return new InputError(
    `ads.click: the click token ended ${new Date(at).toISOString()}: a token lives ten minutes; deliver the ad again.`,
    { code: 'CLICK_TOKEN_EXPIRED', phase: 'input', endpoint: 'ads.click' },
  );
}
