import { createHmac } from 'node:crypto';
import type { SnapshotBlogInput } from '@broadsheet/contract';
import { defaultsOf, SnapshotAd, SnapshotCampaign } from '@broadsheet/contract';
import { createApi, createMemoryStore, fromLocalTime, type Store } from '@broadsheet/core';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { PanelServer } from '../../panel/test/panel-server.ts';
import { dayIn, FiguresModel, type Impression } from './figures-model.ts';

export const START = Date.parse('2026-10-24T20:00:00Z');
const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu'] as const;
const AGENTS = { valid: 'Mozilla/5.0 (X11; Linux) Firefox/140.0', bot: 'Googlebot/2.1' } as const;
const adId = (number: number) => `00000040-0000-4000-8000-00000000000${number}`;
const CAMPAIGNS = ['a', 'b', 'c'] as const;

/** Something that happens to a blog. */
export type Step =
  | {
      readonly do: 'deliver';
      readonly slots: readonly string[];
      readonly agent: keyof typeof AGENTS;
      readonly key?: number;
    }
  | { readonly do: 'click' | 'view'; readonly token: number; readonly ip: number }
  | { readonly do: 'wait'; readonly minutes: number }
  | { readonly do: 'midnight'; readonly after: number }
  | { readonly do: 'zone'; readonly zone: (typeof ZONES)[number] }
  | { readonly do: 'move' | 'deleteAd'; readonly ad: number; readonly campaign: string | undefined }
  | { readonly do: 'deleteCampaign' | 'restore' | 'limit'; readonly campaign: string };

const campaign = fc.constantFrom(...CAMPAIGNS);
const ad = fc.integer({ min: 1, max: 5 });
const deliver = fc.record(
  {
    do: fc.constant('deliver' as const),
    slots: fc.array(fc.constantFrom('top', 'side', ''), { minLength: 1, maxLength: 4 }),
    agent: fc.constantFrom('valid' as const, 'valid' as const, 'bot' as const),
    key: fc.nat(2),
  },
  { requiredKeys: ['do', 'slots', 'agent'] },
);
const event = fc.record({ do: fc.constantFrom('click' as const, 'view' as const), token: fc.nat(), ip: fc.nat(1) });
export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: deliver },
  { weight: 14, arbitrary: event },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), minutes: fc.constantFrom(1, 2, 9, 31) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('midnight' as const), after: fc.constantFrom(-1000, 0, 1000) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('zone' as const), zone: fc.constantFrom(...ZONES) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('move' as const, 'deleteAd' as const),
      ad,
      campaign: fc.option(campaign, { nil: undefined }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('deleteCampaign' as const, 'restore' as const, 'limit' as const),
      campaign,
    }),
  },
);

/** An API whose random numbers are the same in each instance. */
function openApi(store: Store, clock: { now(): number }) {
  let seed = 1;
  let ids = 0;
  const random = {
    uuid() {
      ids += 1;
      return `0000004a-0000-4000-8000-${String(ids).padStart(12, '0')}`;
    },
    below(bound: number) {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((seed / 2 ** 32) * bound);
    },
  };
  const hmac = (text: string) => createHmac('sha256', 'a secret').update(text).digest('base64url');
  const isBot = (userAgent: string) => userAgent === AGENTS.bot;
  return createApi({ store, clock, random, hmac, isBot, docsUrl: 'https://docs.example' });
}

/** A blog with a history: in memory, in SQLite, and in a model built from its responses. */
export class History {
  readonly model = new FiguresModel();
  now = START;
  zone: string = 'Europe/Berlin';
  ads = new Map<string, SnapshotAd>();
  campaigns = new Map<string, SnapshotCampaign>();
  readonly memory = createMemoryStore();
  readonly #apis: readonly ReturnType<typeof createApi>[];
  readonly #deleted = new Map<string, { readonly before: SnapshotCampaign; readonly ads: readonly SnapshotAd[] }>();
  readonly #keyed = new Map<
    string,
    { readonly at: number; readonly body: string; readonly impressions: Impression[] }
  >();

  readonly panel: PanelServer;
  readonly blog: string;

  constructor(panel: PanelServer, blog: string) {
    this.panel = panel;
    this.blog = blog;
    const clock = { now: () => this.now };
    this.#apis = [this.memory, panel.store].map((store) => openApi(store, clock));
  }

  async #put(input: Omit<SnapshotBlogInput, 'id' | 'name'>): Promise<void> {
    const whole = { id: this.blog, name: this.blog, ...input };
    this.memory.putBlog(whole, this.now);
    await this.panel.store.putBlog(whole, this.now);
  }

  async open(): Promise<void> {
    for (const id of CAMPAIGNS) {
      const kind = id === 'c' ? 'house' : 'paid';
      this.campaigns.set(id, {
        ...defaultsOf(SnapshotCampaign),
        id,
        sponsor: `Sponsor ${id}`,
        name: `Name ${id}`,
        kind,
      });
    }
    for (const number of [1, 2, 3, 4, 5]) {
      const campaignId = CAMPAIGNS[number - 1];
      const priority = number % 3;
      const one = {
        ...defaultsOf(SnapshotAd),
        id: adId(number),
        format: 'BANNER' as const,
        title: `Ad ${number}`,
        priority,
      };
      this.ads.set(one.id, campaignId === undefined ? one : { ...one, campaignId });
    }
    const content = { campaigns: [...this.campaigns.values()], ads: [...this.ads.values()] };
    await this.#put({ apiKeys: [`key-${this.blog}`], timeZone: this.zone, ...content });
  }

  /** Sends a request to both APIs, whose responses must be the same. */
  async #send(
    path: string,
    init: RequestInit & { readonly ip?: number } = {},
  ): Promise<{ status: number; body: string }> {
    const headers = { 'X-API-Key': `key-${this.blog}`, 'Content-Type': 'application/json', ...init.headers };
    const responses = [];
    for (const api of this.#apis) {
      const request = new Request(`https://api.example${path}`, { ...init, headers });
      const response = await api.fetch(request, { ip: `192.0.2.${1 + (init.ip ?? 0)}` });
      responses.push({ status: response.status, body: await response.text() });
    }
    const [first = { status: 0, body: '' }, second] = responses.map(({ status, body }) => {
      return { status, body: body.replace(/req_[\w-]+/g, '') };
    });
    expect(second).toEqual(first);
    return first;
  }

  async run(one: Step): Promise<void> {
    switch (one.do) {
      case 'deliver':
        return this.#deliver(one);
      case 'click':
      case 'view':
        return this.#report(one);
      case 'wait':
        this.now += one.minutes * 60_000;
        return undefined;
      case 'midnight': {
        const tomorrow = new Date(Date.parse(dayIn(this.now, this.zone)) + 86_400_000).toISOString().slice(0, 10);
        this.now = Math.max(this.now, fromLocalTime(`${tomorrow}T00:00`, this.zone) + one.after);
        return undefined;
      }
      case 'zone':
        this.zone = one.zone;
        return this.#put({ timeZone: one.zone });
      default:
        return this.#edit(one);
    }
  }

  async #deliver({ slots, agent, key }: Extract<Step, { do: 'deliver' }>): Promise<void> {
    const isSingle = slots[0] === '';
    const names = isSingle ? [''] : slots.map((slot) => slot || 'top');
    const body = JSON.stringify({ slots: names.map((slotId) => ({ slotId, format: 'BANNER' })) });
    // Each key is used for one request.
    const idempotencyKey = key === undefined ? undefined : `history-key-${key}-${names.length}-${names.join('')}`;
    const query = idempotencyKey === undefined ? '' : `?idempotencyKey=${idempotencyKey}`;
    const headers = { 'User-Agent': AGENTS[agent] };
    const path = isSingle ? '/public/ads/formats/BANNER' : '/public/ads/formats';
    const init = isSingle ? { headers } : { method: 'POST', body, headers };
    const response = await this.#send(path + query, init);
    expect(response.status).toBe(200);
    const results = [JSON.parse(response.body)].flat() as { filled: boolean; id: string; clickToken: string }[];
    const known = this.#keyed.get(idempotencyKey ?? '');
    const isReplay = known !== undefined && this.now - known.at < 600_000;
    const day = dayIn(this.now, this.zone);
    const impressions = isReplay
      ? known.impressions
      : results.map(({ filled, id }, index): Impression => {
          const campaignOf = filled ? (this.ads.get(id)?.campaignId ?? '') : '';
          return { day, ad: filled ? id : '', campaign: campaignOf, placement: names[index] ?? '', traffic: agent };
        });
    if (!isReplay) this.model.deliver(impressions);
    if (!isReplay && idempotencyKey !== undefined) this.#keyed.set(idempotencyKey, { at: this.now, body, impressions });
    for (const [index, { filled, clickToken }] of results.entries()) {
      const of = impressions[index];
      if (filled && of) this.model.issue(clickToken, of, this.now);
    }
  }

  async #report({ do: what, token: number, ip }: Extract<Step, { do: 'click' | 'view' }>): Promise<void> {
    const { tokens } = this.model;
    // Mostly recent tokens, because tokens expire.
    const token = tokens.at(-1 - (number % Math.min(6, tokens.length || 1)));
    if (!token) return;
    if (what === 'view') {
      await this.#send('/measure/viewable', { method: 'POST', body: token.text });
      this.model.view(token, this.now);
    } else if (token.of.traffic === 'valid') {
      const body = JSON.stringify({ clickToken: token.text });
      const { status } = await this.#send('/public/ads/tracking/click', { method: 'POST', body, ip });
      expect(status).toBe(this.model.click(token, String(ip), this.now, this.zone));
    }
  }

  async #edit(one: Extract<Step, { do: 'move' | 'deleteAd' | 'deleteCampaign' | 'restore' | 'limit' }>): Promise<void> {
    const { store } = this.panel;
    if (one.do === 'move' || one.do === 'deleteAd') {
      const before = this.ads.get(adId(one.ad));
      if (!before) return;
      if (one.do === 'move') return this.#move(before, one.campaign);
      await store.deleteAd(this.blog, before.id, this.now);
      return this.#forget(before);
    }
    if (one.do === 'restore') return this.#restore(one.campaign);
    const before = this.campaigns.get(one.campaign ?? '');
    if (!before) return;
    if (one.do === 'limit') {
      const after: SnapshotCampaign = { ...before, perDay: before.perDay === null ? 2 : null };
      this.campaigns.set(after.id, after);
      return this.#put({ campaigns: [after] });
    }
    const ads = [...this.ads.values()].filter(({ campaignId }) => campaignId === before.id);
    this.campaigns.delete(before.id);
    this.#deleted.set(before.id, { before, ads });
    await store.deleteCampaign(this.blog, before.id, this.now);
    for (const gone of ads) this.#forget(gone);
  }

  async #restore(id: string): Promise<void> {
    const deleted = this.#deleted.get(id);
    const { restored } = await this.panel.store.restoreFromBin(this.blog, { kind: 'campaign', id }, this.now);
    // Nothing is left in the recycle bin after thirty days, or after it was restored.
    if (!deleted || restored.length === 0) return;
    this.#deleted.delete(id);
    this.campaigns.set(id, deleted.before);
    for (const ad of deleted.ads) this.ads.set(ad.id, ad);
    this.memory.putBlog({ id: this.blog, name: this.blog, ads: [...deleted.ads] }, this.now);
  }

  async #move({ campaignId: _, ...before }: SnapshotAd, to: string | undefined): Promise<void> {
    const after = to !== undefined && this.campaigns.has(to) ? { ...before, campaignId: to } : before;
    this.ads.set(after.id, after);
    await this.#put({ ads: [after] });
  }

  /** The store in memory has no recycle bin, so there a deleted ad is paused. */
  #forget(gone: SnapshotAd): void {
    this.ads.delete(gone.id);
    this.memory.putBlog({ id: this.blog, name: this.blog, ads: [{ ...gone, active: false }] }, this.now);
  }
}
