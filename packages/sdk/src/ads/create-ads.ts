import { Call } from '../calls/call.ts';
import type { Task } from '../calls/outgoing.ts';
import { inputError, mustBe } from '../check-options.ts';
import type { EndpointId } from '../endpoint-id.ts';
import type { CodeOf } from '../errors/error-facts.ts';
import type { AdDeliverySlotResult, AdSlot, AdTrackingResult } from '../generated/resources.ts';
import { loadOnDemand } from '../load-on-demand.ts';
import { core } from '../on-demand-core.ts';
import type { Outcome } from '../response/incoming.ts';
import type { Settings } from '../settings.ts';
import type { AdOptions, Ads, ClickOptions, Placement, SlotDelivery } from './ads.ts';
import { remember } from './known-tokens.ts';

type ClickCall = Call<AdTrackingResult, CodeOf<'ads.click'>>;

/** The ad part of a client. */
export function createAds(settings: Settings): Ads {
  const click = (token: string, options?: ClickOptions): ClickCall => clickOnce(settings, token, options);

  /** A delivery. The details are added to each result, and its token is remembered. */
  function deliver<T, Code extends string>(
    task: Task,
    options: AdOptions | undefined,
    finish: (result: SlotDelivery) => unknown = (result) => result,
  ): Call<T, Code> {
    const client = options?.client === undefined ? undefined : { client: options.client };
    return new Call(
      settings,
      { ...task, ...keyed(options), ...forVisitor(settings, task.id, options) },
      ({ data, info }) => {
        const viewableUrl = info.headers.get('broadsheet-viewable') ?? undefined;
        const receive = (result: AdDeliverySlotResult): unknown => {
          if (!result.filled) return finish({ ...result, ...client });
          const { expiresAt } = remember(settings.ads.tokens, result.clickToken, true);
          return finish({ ...result, ...client, expiresAt, ...(viewableUrl && { viewableUrl }) });
        };
        return Array.isArray(data) ? data.map(receive) : receive(data as AdDeliverySlotResult);
      },
    );
  }

  const batch = (slots: readonly AdSlot[]): Task => ({ id: 'ads.deliverBatch', body: { slots } });
  const impression = <T>(options?: AdOptions, finish?: (outcome: Outcome) => T): Call<T, CodeOf<'ads.impression'>> =>
    new Call(settings, { id: 'ads.impression', ...forVisitor(settings, 'ads.impression', options) }, finish);

  return {
    deliver: (format, options) => deliver({ id: 'ads.deliver', params: { format } }, options),
    deliverBatch: (slots, options) => deliver(batch(slots), options),
    place(slots, options) {
      const own = { visitor: options?.visitor, trust: options?.trust };
      const placed = ({ slotId, format, ...ad }: SlotDelivery): Placement =>
        ad.filled
          ? { slotId, format, ad, click: (more) => click(ad.clickToken, { ...own, ...more }) }
          : { slotId, format, ad: undefined, click: () => click('') };
      return deliver(batch(slots), options, placed);
    },
    click,
    impression: (options) => impression(options),
    acceptsKeys: (options) => impression(options, ({ info }) => info.headers.has('idempotency-accepted')),
  };
}

/** The options of a call, and its visitor. Only servers have one, so the code for it is loaded on demand. */
function forVisitor(
  settings: Settings,
  id: EndpointId,
  options: AdOptions | undefined,
): Pick<Task, 'options' | 'rest'> {
  const { visitor, trust = settings.options.trust } = options ?? {};
  return {
    options,
    rest: visitor && (async () => (await loadOnDemand()).visitorTask(core, id, visitor, trust)),
  };
}

/**
 * The idempotency key of one delivery and its repeats. It begins with the time, so that a database stores new keys next
 * to each other. Not `randomUUID()`, which pages without TLS lack.
 */
function keyed(options: AdOptions | undefined): Pick<Task, 'query' | 'keyedAt'> {
  const keyedAt = Date.now();
  const own = [keyedAt, ...crypto.getRandomValues(new Uint32Array(4))].join('-');
  return { query: { idempotencyKey: options?.idempotencyKey ?? own }, keyedAt };
}

/** Registers a click, or returns the call that did. */
function clickOnce(settings: Settings, token: string, options: ClickOptions | undefined): ClickCall {
  const refused = (why: string, code?: string): ClickCall =>
    new Call(settings, { id: 'ads.click', rest: () => Promise.reject(inputError('ads.click', why, code)) });
  if (typeof token !== 'string' || !token)
    return refused(mustBe('the token', 'the clickToken of a delivered ad', token));
  const { tokens } = settings.ads;
  const known = tokens.get(token) ?? remember(tokens, token, false);
  if (known.click) return known.click as ClickCall;
  if (known.delivered && known.expiresAt <= Date.now()) {
    const at = new Date(known.expiresAt).toISOString();
    return refused(`the click token expired at ${at}: deliver the ad again`, 'CLICK_TOKEN_EXPIRED');
  }
  const { keepalive = true } = options ?? {};
  const call: ClickCall = new Call(settings, {
    id: 'ads.click',
    body: { clickToken: token },
    sharedAs: `click ${token}`,
    token: known,
    keepalive,
    ...forVisitor(settings, 'ads.click', options),
  });
  void call.safe().then(({ ok }) => {
    if (ok) known.click = call; // later clicks return this call
  });
  return call;
}
