import { LIMITS } from '@broadsheet/contract';
import { lazily } from '../answer/lazily.ts';
import { Call } from '../calls/call.ts';
import { type Outcome, perform } from '../calls/perform.ts';
import type { Task } from '../calls/task.ts';
import { checkOptions, describe, refuse } from '../check-options.ts';
import type { CodeOf } from '../errors/error-facts.ts';
import { InputError } from '../errors/error-kinds.ts';
import type { Settings } from '../settings.ts';
import type { AdDeliveryResult, AdDeliverySlotResult, AdFormat, AdSlot, AdTrackingResult, FilledAd } from './ad.ts';
import type { AdOptions, Ads, BatchOptions, ClickOptions, Placement } from './ads.ts';
import { readTokenLife } from './click-token.ts';

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

  async function send(task: Omit<Task, 'options' | 'headers'>, options: AdOptions): Promise<Outcome> {
    if (!options?.visitor) return perform(settings, { ...task, options });
    // A page speaks for itself, so that only servers load this.
    const { visitorHeaders } = await lazily(() => import('./visitor.ts'));
    const { visitor, trust = settings.options.trust } = options;
    return perform(settings, { ...task, options, headers: () => visitorHeaders(visitor, trust) });
  }

  const deliver = ((what: AdFormat | readonly AdSlot[], options: BatchOptions = {}) => {
    if (typeof what !== 'string') return deliverBatch(what, options);
    return new Call(async () => {
      const outcome = await send({ id: 'ads.deliver', params: { format: what } }, options);
      const ad = outcome.data as AdDeliveryResult;
      if (ad.filled) remember(ad.clickToken);
      return outcome;
    });
  }) as Ads['deliver'];

  const deliverBatch: Ads['deliverBatch'] = (slots, options = {}) => new Call(() => batch(slots, options));

  async function batch(slots: readonly AdSlot[], options: BatchOptions): Promise<Outcome> {
    checkOptions('ads.deliverBatch', options);
    // Before anything is sent: a delivery that the caller then cannot use has counted an impression.
    if (!Array.isArray(slots)) {
      const wanted = "an array such as [{ slotId: 'top', format: 'BANNER' }], or for ads.deliver a format";
      throw refuse('ads.deliverBatch', `ads.deliver: the slots are ${describe(slots)}: give ${wanted}.`);
    }
    const { max } = LIMITS.slots;
    if (slots.length > max && !options.split) {
      const message = `ads.deliver: ${slots.length} slots are more than the ${max} of one request: ask for fewer, or pass { split: true } and accept that ads may repeat.`;
      throw refuse('ads.deliverBatch', message);
    }
    const results: AdDeliverySlotResult[] = [];
    let last: Outcome | undefined;
    for (let from = 0; from < slots.length || !last; from += max) {
      last = await send({ id: 'ads.deliverBatch', body: { slots: slots.slice(from, from + max) } }, options);
      results.push(...(last.data as AdDeliverySlotResult[]));
    }
    for (const result of results) if (result.filled) remember(result.clickToken);
    return { ...last, data: results };
  }

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
    const entry = known ?? remember(token);
    entry.click = call;
    // A click that failed may be tried again by whoever wants to.
    void call.safe().then(({ ok }) => {
      if (!ok) entry.click = undefined;
    });
    return call;
  }

  const place = async (slots: readonly AdSlot[], options: BatchOptions = {}): Promise<Placement[]> => {
    const results = await deliverBatch(slots, options);
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
            : click(token, { visitor: options.visitor, trust: options.trust, ...how }),
      };
    });
  };

  return {
    deliver,
    deliverBatch,
    place,
    click,
    impression: (options = {}) => new Call(() => send({ id: 'ads.impression' }, options)),
  };
}

function expired(at: number): InputError {
  return new InputError(
    `ads.click: the click token ended ${new Date(at).toISOString()}: a token lives ten minutes; deliver the ad again.`,
    { code: 'CLICK_TOKEN_EXPIRED', phase: 'input', endpoint: 'ads.click' },
  );
}

/** Takes a slot's result apart. */
function adOf(result: AdDeliverySlotResult): FilledAd | undefined {
  if (!result.filled) return undefined;
  const { slotId: _slotId, format: _format, ...ad } = result;
  return ad;
}
