import { LIMITS } from '@broadsheet/contract';
import { lazily } from '../answer/lazily.ts';
import { Call } from '../calls/call.ts';
import { perform } from '../calls/perform.ts';
import { checkOptions, describe, refuse } from '../check-options.ts';
import type { CodeOf } from '../errors/error-facts.ts';
import { InputError } from '../errors/error-kinds.ts';
import type { AdDeliveryResult, AdFormat, AdSlot, AdTrackingResult } from '../generated/resources.ts';
import type { Settings } from '../settings.ts';
import type { Ads, BatchOptions, ClickOptions } from './ads.ts';
import type { AdCalls } from './batch.ts';
import { KnownTokens, readTokenLife } from './known-tokens.ts';

/** Makes the calls about ads. */
export function createAds(settings: Settings): Ads {
  const tokens = new KnownTokens();

  const send: AdCalls['send'] = async (task, options) => {
    if (!options?.visitor) return perform(settings, { ...task, options });
    // A page speaks for itself, so that only servers load this.
    const { visitorHeaders } = await lazily(() => import('./visitor.ts'));
    const { visitor, trust = settings.options.trust } = options;
    return perform(settings, { ...task, options, headers: () => visitorHeaders(visitor, trust) });
  };

  const deliver = ((what: AdFormat | readonly AdSlot[], options: BatchOptions = {}) => {
    if (typeof what !== 'string') return deliverBatch(what, options);
    return new Call(async () => {
      const outcome = await send({ id: 'ads.deliver', params: { format: what } }, options);
      const ad = outcome.data as AdDeliveryResult;
      if (ad.filled) tokens.remember(ad.clickToken);
      return outcome;
    });
  }) as Ads['deliver'];

  const batch = () => lazily(() => import('./batch.ts'));

  const deliverBatch: Ads['deliverBatch'] = (slots, options = {}) =>
    new Call(async () => {
      // Before anything is sent: a delivery that the caller then cannot use has counted an impression.
      checkOptions('ads.deliverBatch', options);
      checkSlots(slots, options);
      return (await batch()).deliverInParts(calls, slots, options);
    });

  function click(token: string, options: ClickOptions = {}): Call<AdTrackingResult, CodeOf<'ads.click'>> {
    if (typeof token !== 'string' || token === '') {
      const message = `ads.click: the token is ${describe(token)}: give the clickToken of an ad that was delivered.`;
      return new Call(() => Promise.reject(refuse('ads.click', message)));
    }
    const known = tokens.get(token);
    if (known?.click) return known.click as Call<AdTrackingResult, CodeOf<'ads.click'>>;
    const expiresAt = known?.expiresAt ?? readTokenLife(token)?.expiresAt;
    const call = new Call<AdTrackingResult, CodeOf<'ads.click'>>(async () => {
      if (expiresAt !== undefined && expiresAt <= Date.now()) throw expired(expiresAt);
      checkOptions('ads.click', options);
      const { keepalive = true, ...rest } = options;
      const fetchOptions = { ...rest.fetchOptions, keepalive };
      return send({ id: 'ads.click', body: { clickToken: token } }, { ...rest, fetchOptions });
    });
    const entry = known ?? tokens.remember(token);
    entry.click = call;
    // A click that failed may be tried again by whoever wants to.
    void call.safe().then(({ ok }) => {
      if (!ok) entry.click = undefined;
    });
    return call;
  }

  const calls: AdCalls = { tokens, refuse, most: LIMITS.slots.max, send, click, deliverBatch };

  return {
    deliver,
    deliverBatch,
    place: async (slots, options = {}) => (await batch()).place(calls, slots, options),
    click,
    impression: (options = {}) =>
      new Call(async () => {
        checkOptions('ads.impression', options);
        const { clickToken, ...rest } = options;
        return send({ id: 'ads.impression', body: clickToken === undefined ? undefined : { clickToken } }, rest);
      }),
  };
}

function checkSlots(slots: readonly AdSlot[], { split }: BatchOptions): void {
  const { max } = LIMITS.slots;
  if (!Array.isArray(slots)) {
    const wanted = "an array such as [{ slotId: 'top', format: 'BANNER' }], or for ads.deliver a format";
    throw refuse('ads.deliverBatch', `ads.deliver: the slots are ${describe(slots)}: give ${wanted}.`);
  }
  if (slots.length > max && !split) {
    const message = `ads.deliver: ${slots.length} slots are more than the ${max} of one request: request fewer, or pass { split: true } and accept that ads may repeat.`;
    throw refuse('ads.deliverBatch', message);
  }
}

function expired(at: number): InputError {
  return new InputError(
    `ads.click: the click token ended ${new Date(at).toISOString()}: a token lives ten minutes; deliver the ad again.`,
    { code: 'CLICK_TOKEN_EXPIRED', phase: 'input', endpoint: 'ads.click' },
  );
}
