import { AD_TEXTS, type AdDeliveryResult, type AdDeliverySlotResult } from '@broadsheet/contract';
import type { OperationInput, Operations } from '../calls/operations.ts';
import { ApiError } from '../http/api-error.ts';
import { Encoded } from '../http/response.ts';
import type { Ports } from '../ports.ts';
import type { Ad, Blog, Delivery, Store } from '../store.ts';
import { chooseAds, type RequestedSlot } from './candidates.ts';
import type { ClickTokens } from './click.ts';
import { dayOf } from './day.ts';
import { createInventory, type Inventory } from './inventory.ts';
import { createTrafficJudge } from './traffic.ts';

type DeliveryOperations = Pick<Operations, 'ads.deliver' | 'ads.deliverBatch'>;

/** Delivers ads (api.md 4.5); every impression is recorded before its ad is returned. */
export function deliveryOperations(ports: Ports, tokens: ClickTokens): DeliveryOperations {
  const deliver = createDeliver(ports, tokens);
  return {
    'ads.deliver': async (input) => {
      const { format } = input.params;
      const { results, ...outcome } = await deliver(input, [{ format }], format);
      return { data: new Encoded<AdDeliveryResult>(`{${results[0]}`), ...outcome };
    },
    'ads.deliverBatch': async (input) => {
      const { slots } = input.body;
      const { results, ...outcome } = await deliver(input, slots, slots);
      let json = '';
      for (const [index, { slotId, format }] of slots.entries()) {
        json += `${json && ','}{"slotId":${JSON.stringify(slotId)},"format":"${format}",${results[index]}`;
      }
      return { data: new Encoded<AdDeliverySlotResult[]>(`[${json}]`), ...outcome };
    },
  };
}

/** Results of a delivery. */
interface Results {
  /** One for each slot, as JSON without the opening brace. */
  readonly results: readonly string[];
  readonly impressions: number;
  readonly replayed: boolean;
}

/** Creates the function that delivers; its `request` is what two deliveries with the same idempotency key must share. */
function createDeliver({ store, clock, random, hmac, isBot }: Ports, tokens: ClickTokens) {
  const inventories = createInventoryCache(store);
  const judge = createTrafficJudge(isBot);
  return async (
    input: OperationInput<keyof DeliveryOperations>,
    slots: readonly RequestedSlot[],
    request: unknown,
  ): Promise<Results> => {
    const { blog, query, apiKey } = input;
    const now = Math.floor(clock.now());

    // The ads that may run now, and the candidates for each slot.
    const inventory = await inventories.of(blog);
    const hashes = query.idempotencyKey && {
      // Keys that clients create in chronological order keep this order, so that stores keep them together.
      keyHash: `${query.idempotencyKey} ${await hmac(`delivery ${apiKey}`)}`,
      requestHash: await hmac(`request ${JSON.stringify(request)}`),
    };
    const newId = random.uuid();
    // There is no await between two picks, because concurrent requests must not interleave their random numbers.
    const chosen = chooseAds(slots, inventory.at(now), random);
    const idempotency = hashes ? { ...hashes, deliveryId: newId } : undefined;
    const delivery: Delivery = { ...chosen, idempotency, traffic: judge(input, now), timeZone: blog.timeZone };

    // In one step, the store decides which candidates their campaigns admit, and counts them.
    const { outcome, adIds, first, ended } = await store.deliver(blog.id, delivery, now);
    if (ended?.length) inventory.end(ended);
    if (outcome === 'mismatched') throw mismatch();

    // Each ad gets a token that says how its click is counted.
    const { deliveryId = newId, traffic = delivery.traffic, day = dayOf(now, blog.timeZone) } = first ?? {};
    const counted = {
      blog: blog.id,
      traffic: traffic === 'valid' ? undefined : traffic,
      day: day === dayOf(now) ? undefined : day,
    };
    const results: string[] = [];
    let delivered = 0;
    for (const [index, adId = ''] of adIds.entries()) {
      const ad = inventory.ads.get(adId);
      const campaign = first ? first.campaigns[adId] : delivery.campaigns?.get(adId);
      const claims = { sub: adId, jti: `${deliveryId}.${index}`, placement: delivery.slots[index]?.placement };
      const token = ad && (await tokens.issue({ ...claims, ...counted, campaign }, now));
      results.push(ad ? `${fieldsOf(ad)},"clickToken":"${token}"}` : '"filled":false}');
      if (adId) delivered += 1;
    }
    const replayed = outcome === 'replayed';
    return { results, replayed, impressions: replayed ? 0 : delivered };
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

/** The number of blogs and ads that are cached in total; a full cache is emptied. */
const MAX_SIZE = 50_000;

/** Reads an inventory once per revision, even for concurrent requests. */
export function createInventoryCache(store: Pick<Store, 'listAds' | 'listCampaigns' | 'listEnded'>) {
  const entries = new Map<string, { readonly revision: string; readonly inventory: Promise<Inventory> }>();
  let size = 0;
  const read = async (blogId: string) => {
    const ads = await store.listAds(blogId);
    size += ads.length + 1;
    const hasCampaigns = ads.some(({ campaignId }) => campaignId !== undefined);
    if (!hasCampaigns) return createInventory(ads);
    const [campaigns, ended = []] = await Promise.all([store.listCampaigns(blogId), store.listEnded?.(blogId)]);
    const inventory = createInventory(ads, campaigns);
    inventory.end(ended);
    return inventory;
  };
  return {
    of({ id, revision }: Blog): Promise<Inventory> {
      const known = entries.get(id);
      if (known?.revision === revision) return known.inventory;
      if (size >= MAX_SIZE) {
        entries.clear();
        size = 0;
      }
      const fresh = { revision, inventory: read(id) };
      entries.set(id, fresh);
      fresh.inventory.catch(() => {
        if (entries.get(id) === fresh) entries.delete(id);
      });
      return fresh.inventory;
    },
  };
}
