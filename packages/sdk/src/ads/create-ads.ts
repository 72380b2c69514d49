import { LIMITS } from '@broadsheet/contract';
import type { Outcome } from '../answer/incoming.ts';
import { Call } from '../calls/call.ts';
import { perform } from '../calls/perform.ts';
import type { Task } from '../calls/task.ts';
import { checkOptions, describe, refuse } from '../check-options.ts';
import type { CodeOf } from '../errors/error-facts.ts';
import type {
  AdDeliveryResult,
  AdDeliverySlotResult,
  AdFormat,
  AdSlot,
  AdTrackingResult,
} from '../generated/resources.ts';
import { loadOnDemand } from '../load-on-demand.ts';
import type { Settings } from '../settings.ts';
import type { AdOptions, Ads, BatchOptions, ClickOptions } from './ads.ts';
import { KnownTokens } from './known-tokens.ts';

type OneCall = Call<AdDeliveryResult, CodeOf<'ads.deliver'>>;
type BatchCall = Call<AdDeliverySlotResult[], CodeOf<'ads.deliverBatch'>>;
type ClickCall = Call<AdTrackingResult, CodeOf<'ads.click'>>;

/** Makes the calls about ads. */
export function createAds(settings: Settings): Ads {
  const tokens = new KnownTokens();

  function deliver(format: AdFormat, options?: AdOptions): OneCall;
  function deliver(slots: readonly AdSlot[], options?: BatchOptions): BatchCall;
  function deliver(what: AdFormat | readonly AdSlot[], options: BatchOptions = {}): OneCall | BatchCall {
    return typeof what === 'string' ? deliverOne(what, options) : deliverBatch(what, options);
  }

  const deliverOne = (format: AdFormat, options: AdOptions): OneCall =>
    new Call(async () => {
      const outcome = await send(settings, { id: 'ads.deliver', params: { format } }, options);
      remember(tokens, [outcome.data as AdDeliveryResult]);
      return outcome;
    });

  const batch = async (slots: readonly AdSlot[], options: BatchOptions): Promise<Outcome> => {
    const outcome = await sendBatch(settings, slots, options);
    remember(tokens, outcome.data as AdDeliverySlotResult[]);
    return outcome;
  };

  function deliverBatch(slots: readonly AdSlot[], options: BatchOptions = {}): BatchCall {
    return new Call(() => batch(slots, options));
  }

  function click(token: string, options: ClickOptions = {}): ClickCall {
    if (typeof token !== 'string' || !token) {
      const message = `ads.click: the token is ${describe(token)}: give the clickToken of a delivered ad.`;
      return new Call(() => Promise.reject(refuse('ads.click', message)));
    }
    const known = tokens.get(token);
    if (known?.click) return known.click;
    const call: ClickCall = new Call(async () => {
      if (known?.delivered && known.expiresAt <= Date.now()) {
        const at = new Date(known.expiresAt).toISOString();
        const message = `ads.click: the click token expired at ${at}: it is valid for ten minutes. Deliver the ad again.`;
        throw refuse('ads.click', message, 'CLICK_TOKEN_EXPIRED');
      }
      checkOptions('ads.click', options);
      const { keepalive = true, ...rest } = options;
      const fetchOptions = { ...rest.fetchOptions, keepalive };
      return send(settings, { id: 'ads.click', body: { clickToken: token } }, { ...rest, fetchOptions });
    });
    const entry = known ?? tokens.remember(token, false);
    entry.click = call;
    // A click that failed may be made again.
    void call.safe().then(({ ok }) => {
      if (!ok) entry.click = undefined;
    });
    return call;
  }

  return {
    deliver,
    deliverBatch,
    place: (slots, options = {}) =>
      new Call(async () => {
        const outcome = await batch(slots, options);
        const { placementsOf } = await loadOnDemand();
        return { ...outcome, data: placementsOf(outcome.data as AdDeliverySlotResult[], options, tokens, click) };
      }),
    click,
    impression: (options = {}) =>
      new Call(async () => {
        checkOptions('ads.impression', options);
        const { clickToken, ...rest } = options;
        return send(settings, { id: 'ads.impression', body: clickToken && { clickToken } }, rest);
      }),
  };
}

async function send(settings: Settings, task: Omit<Task, 'options'>, options: AdOptions): Promise<Outcome> {
  if (!options?.visitor) return perform(settings, { ...task, options });
  // A page speaks for itself, so that only servers load this.
  const { visitorHeaders } = await loadOnDemand();
  const { visitor, trust = settings.options.trust } = options;
  return perform(settings, { ...task, options, headers: () => visitorHeaders(visitor, trust) });
}

async function sendBatch(settings: Settings, slots: readonly AdSlot[], options: BatchOptions): Promise<Outcome> {
  // Before anything is sent: a delivery that the caller then cannot use has counted an impression.
  checkOptions('ads.deliverBatch', options);
  checkSlots(slots, options);
  const since = performance.now();
  const sendPart = (part: readonly AdSlot[]): Promise<Outcome> =>
    send(settings, { id: 'ads.deliverBatch', body: { slots: part }, since }, options);
  const { max } = LIMITS.slots;
  if (slots.length <= max) return sendPart(slots);
  const parts = Array.from({ length: Math.ceil(slots.length / max) }, (_, nth) =>
    slots.slice(nth * max, nth * max + max),
  );
  const { deliverInParts } = await loadOnDemand();
  return deliverInParts(parts, sendPart);
}

function remember(tokens: KnownTokens, ads: readonly AdDeliveryResult[]): void {
  for (const ad of ads) if (ad.filled) tokens.remember(ad.clickToken, true);
}

function checkSlots(slots: readonly AdSlot[], { split }: BatchOptions): void {
  const { max } = LIMITS.slots;
  if (!Array.isArray(slots)) {
    const message = `ads.deliver: the slots are ${describe(slots)}: give [{ slotId, format }], or a format.`;
    throw refuse('ads.deliverBatch', message);
  }
  if (slots.length > max && !split) {
    const message = `ads.deliver: ${slots.length} slots are more than the ${max} of one request: request fewer, or pass { split: true }, so that ads may repeat.`;
    throw refuse('ads.deliverBatch', message);
  }
}
