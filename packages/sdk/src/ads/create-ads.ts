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
import type { AdOptions, Ads, ClickOptions, Placement } from './ads.ts';
import { KnownTokens } from './known-tokens.ts';

type OneCall = Call<AdDeliveryResult, CodeOf<'ads.deliver'>>;
type BatchCall = Call<AdDeliverySlotResult[], CodeOf<'ads.deliverBatch'>>;
type ClickCall = Call<AdTrackingResult, CodeOf<'ads.click'>>;

/** The ad part of a client. */
export function createAds(settings: Settings): Ads {
  const tokens = new KnownTokens();

  function deliver(format: AdFormat, options?: AdOptions): OneCall;
  function deliver(slots: readonly AdSlot[], options?: AdOptions): BatchCall;
  function deliver(what: AdFormat | readonly AdSlot[], options: AdOptions = {}): OneCall | BatchCall {
    if (typeof what !== 'string') return deliverBatch(what, options);
    return new Call<AdDeliveryResult, CodeOf<'ads.deliver'>>(async () => {
      const outcome = await send(settings, { id: 'ads.deliver', params: { format: what }, query: freshKey() }, options);
      remember(tokens, [outcome.data as AdDeliveryResult]);
      return outcome;
    });
  }

  const batch = async (slots: readonly AdSlot[], options: AdOptions): Promise<Outcome> => {
    checkSlots(slots);
    const outcome = await send(settings, { id: 'ads.deliverBatch', query: freshKey(), body: { slots } }, options);
    remember(tokens, outcome.data as AdDeliverySlotResult[]);
    return outcome;
  };

  function deliverBatch(slots: readonly AdSlot[], options: AdOptions = {}): BatchCall {
    return new Call(() => batch(slots, options));
  }

  const click = (token: string, options: ClickOptions = {}): ClickCall => clickOnce(settings, tokens, token, options);

  return {
    get headers() {
      return settings.adHeaders;
    },
    deliver,
    deliverBatch,
    place: (slots, options = {}) =>
      new Call(async () => {
        const outcome = await batch(slots, options);
        const { visitor, trust } = options;
        const data = (outcome.data as AdDeliverySlotResult[]).map(({ slotId, format, ...ad }): Placement => {
          const token = ad.filled ? ad.clickToken : '';
          const known = tokens.get(token);
          return {
            slotId,
            format,
            ad: ad.filled ? ad : undefined,
            expiresAt: known && new Date(known.expiresAt),
            click: (own = {}) => click(token, { visitor, trust, ...own }),
          };
        });
        return { ...outcome, data };
      }),
    click,
    impression: (options = {}) => new Call(() => send(settings, { id: 'ads.impression' }, options)),
  };
}

/** Registers a click, or returns the call that already does. */
function clickOnce(settings: Settings, tokens: KnownTokens, token: string, options: ClickOptions): ClickCall {
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
  void call.safe().then(({ ok }) => {
    if (!ok) entry.click = undefined; // so that the click can be made again
  });
  return call;
}

async function send(settings: Settings, task: Omit<Task, 'options'>, options: AdOptions): Promise<Outcome> {
  if (!options?.visitor) return perform(settings, { ...task, options });
  // Only servers send the headers of a visitor.
  const { visitorHeaders } = await loadOnDemand();
  const { visitor, trust = settings.options.trust } = options;
  return perform(settings, { ...task, options, headers: () => visitorHeaders(visitor, trust) });
}

/**
 * The idempotency key of one delivery and its repeats. It begins with the time, so that a database stores new keys next
 * to each other. Not `randomUUID()`, which pages without TLS lack.
 */
function freshKey(): { readonly idempotencyKey: string } {
  return { idempotencyKey: [Date.now(), ...crypto.getRandomValues(new Uint32Array(4))].join('-') };
}

function remember(tokens: KnownTokens, ads: readonly AdDeliveryResult[]): void {
  for (const ad of ads) if (ad.filled) tokens.remember(ad.clickToken, true);
}

function checkSlots(slots: readonly AdSlot[]): void {
  const { max } = LIMITS.slots;
  let message: string | undefined;
  if (!Array.isArray(slots)) message = `the slots are ${describe(slots)}: give [{ slotId, format }], or a format`;
  else if (slots.length > max) message = `${slots.length} slots are more than the ${max} of one request`;
  if (message) throw refuse('ads.deliverBatch', `ads.deliver: ${message}.`);
}
