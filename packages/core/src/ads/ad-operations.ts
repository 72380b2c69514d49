import { AD_TEXTS, type AdDeliveryResult, type AdDeliverySlotResult, LIMITS } from '@broadsheet/contract';
import type { OperationInput, Operations } from '../calls/operation.ts';
import { ApiError } from '../http/api-error.ts';
import { Encoded } from '../http/encoded.ts';
import type { Ports } from '../ports.ts';
import type { Ad, ClickOutcome } from '../store.ts';
import { campaignsOf } from './campaign.ts';
import { chooseAds, type Slot } from './choose-ads.ts';
import { type ClickTokens, createClickTokens, impressionOf } from './click-token.ts';
import { dayOf } from './day.ts';
import type { InventoryCache } from './inventory-cache.ts';
import { originAllowed } from './origin.ts';
import { placementOf } from './placement.ts';
import { createTrafficJudge } from './traffic.ts';
import { visitorAddress } from './visitor.ts';

type AdOperations = Pick<Operations, Extract<keyof Operations, `ads.${string}`>>;

/** Delivers ads and counts clicks (api.md 4.5). */
export function adOperations(ports: Ports, inventories: InventoryCache): AdOperations {
  const tokens = createClickTokens(ports.hmac);
  const deliver = createDelivery(ports, inventories, tokens);
  return {
    'ads.deliver': async (input) => {
      const { format } = input.params;
      const { results, ...outcome } = await deliver(input, [{ format }], format);
      return { data: new Encoded<AdDeliveryResult>(`{${results[0]}`), ...outcome };
    },
    'ads.deliverBatch': async (input) => {
      const { slots } = input.body;
      const wanted = slots.map(({ slotId, format }) => ({ format, placement: placementOf(slotId) }));
      const { results, ...outcome } = await deliver(input, wanted, slots);
      const data = slots.map(
        ({ slotId, format }, index) => `{"slotId":${JSON.stringify(slotId)},"format":"${format}",${results[index]}`,
      );
      return { data: new Encoded<AdDeliverySlotResult[]>(`[${data}]`), ...outcome };
    },
    'ads.click': async (input) => ({ data: { status: 'ok' }, click: await recordClick(ports, tokens, input) }),
    'ads.impression': async () => ({ data: { status: 'ok' } }),
  };
}

type DeliveryInput = OperationInput<'ads.deliver' | 'ads.deliverBatch'>;

/** Results of a delivery, one for each slot. */
interface DeliveryResults {
  /** Each as JSON without the opening brace. */
  readonly results: readonly string[];
  readonly impressions: number;
  readonly replayed: boolean;
}

/** Fills slots with ads; every impression is recorded before the results are returned. */
function createDelivery(ports: Ports, inventories: InventoryCache, tokens: ClickTokens) {
  const { store, clock, random, hmac } = ports;
  const judge = createTrafficJudge(ports.isBot);
  /** @param request what two deliveries with the same idempotency key must have in common */
  return async (input: DeliveryInput, slots: readonly Slot[], request: unknown): Promise<DeliveryResults> => {
    const { blog, query, apiKey } = input;
    const now = Math.floor(clock.now());
    const inventory = await inventories.of(blog);
    const hashes = query.idempotencyKey && {
      // Keys that clients create in order of time stay in this order, so that stores keep them together.
      keyHash: `${query.idempotencyKey} ${await hmac(`delivery ${apiKey}`)}`,
      requestHash: await hmac(`request ${JSON.stringify(request)}`),
    };
    const newId = random.uuid();
    // No awaits between two picks: simultaneous requests must not interleave their random numbers.
    const chosen = chooseAds(slots, inventory.at(now), random);
    const idempotency = hashes ? { ...hashes, deliveryId: newId } : undefined;
    const delivery = { ...chosen, idempotency, traffic: judge(input, now), timeZone: blog.timeZone };
    const { outcome, adIds, first } = await store.deliver(blog.id, delivery, now);
    if (outcome === 'mismatched') throw mismatch();
    const { deliveryId = newId, traffic = delivery.traffic, day = dayOf(now, blog.timeZone) } = first ?? {};
    const campaigns = first?.campaigns ?? campaignsOf(delivery, adIds);
    const counted = {
      ...{ blog: blog.id, traffic: traffic === 'valid' ? undefined : traffic },
      day: day === dayOf(now) ? undefined : day,
    };
    const results: string[] = [];
    for (const [index, adId] of adIds.entries()) {
      const ad = adId === undefined ? undefined : inventory.get(adId);
      if (!ad) {
        results.push('"filled":false}');
        continue;
      }
      const claims = { sub: ad.id, jti: `${deliveryId}.${index}`, placement: slots[index]?.placement };
      const token = await tokens.issue({ ...claims, ...counted, campaign: campaigns[ad.id] }, now);
      results.push(`${fieldsOf(ad)},"clickToken":"${token}"}`);
    }
    const replayed = outcome === 'replayed';
    const impressions = replayed ? 0 : adIds.filter((adId) => adId !== undefined).length;
    return { results, impressions, replayed };
  };
}

function mismatch(): ApiError {
  const message = 'idempotencyKey: was used for another request; use a new key for each delivery';
  return new ApiError('VALIDATION_ERROR', { fields: [{ field: 'idempotencyKey', message, code: 'mismatch' }] });
}

const fields = new WeakMap<Ad, string>();

/** The fields of a result that are the same in each delivery of an ad, as JSON without braces; encoded once. */
function fieldsOf(ad: Ad): string {
  let json = fields.get(ad);
  if (json === undefined) {
    json = JSON.stringify({ filled: true, ...ad }, ['filled', 'id', ...AD_TEXTS]).slice(1, -1);
    fields.set(ad, json);
  }
  return json;
}

/** Checks a click by the rules of api.md 4.5, in their order, and counts it once. */
async function recordClick(
  { store, clock, fingerprint }: Ports,
  tokens: ClickTokens,
  { blog, body: { clickToken }, ip, provenance }: OperationInput<'ads.click'>,
): Promise<ClickOutcome> {
  if (!originAllowed(blog.domains, provenance)) {
    const from = provenance.origin ?? provenance.referer;
    const message = from
      ? `Clicks from ${JSON.stringify(from)} are not accepted: the blog allows ${blog.domains.join(', ')}.`
      : `Missing Origin or Referer header. Clicks are accepted from: ${blog.domains.join(', ')}.`;
    throw new ApiError('ORIGIN_NOT_ALLOWED', { message });
  }
  const at = Math.floor(clock.now());
  const claims = await tokens.read(clickToken, blog.id, at);
  const address = visitorAddress(ip);
  const click = await store.recordClick(blog.id, {
    tokenId: claims.jti,
    tokenExpiresAt: claims.exp * 1000,
    ...impressionOf(claims),
    visitor: address === undefined ? undefined : fingerprint(address),
    at,
    repeatSince: at - LIMITS.clickDedupWindow + 1,
    timeZone: blog.timeZone,
  });
  if (click === 'used') throw new ApiError('CLICK_TOKEN_USED');
  return click;
}
