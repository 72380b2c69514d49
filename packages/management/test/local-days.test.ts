import { fromLocalTime } from '@broadsheet/core';
import type { SqlStore } from '@broadsheet/store';
import { openStore } from '@broadsheet/store/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import { COMMANDS } from '../src/commands/commands.ts';
import { asText } from '../src/commands/text-table.ts';
import { run } from './run.ts';

const MINUTE = 60_000;

describeDatabases('days of a blog', (database) => {
  let store: SqlStore;
  beforeAll(async () => {
    store = await openStore(database.url);
  });
  afterAll(() => store?.close());

  test.each([
    ['Europe/Berlin', '2026-03-29', '2026-03-30', 23],
    ['Europe/Berlin', '2026-10-25', '2026-10-26', 25],
    ['America/New_York', '2026-03-08', '2026-03-09', 23],
    ['America/New_York', '2026-11-01', '2026-11-02', 25],
    ['Asia/Kathmandu', '2026-03-29', '2026-03-30', 24],
    [undefined, '2026-03-29', '2026-03-30', 24],
  ])(
    'in %s on %s are the same for its schedule, its cap, its figures and its forecast',
    async (timeZone, day, next, hours) => {
      const blog = `news-${timeZone}-${day}`.replace('/', '-').toLowerCase();
      const start = fromLocalTime(`${day}T00:00`, timeZone);
      const midnight = start + hours * 60 * MINUTE;
      const end = midnight + 24 * 60 * MINUTE;
      const created = start - 60 * MINUTE;
      await store.putBlog({ id: blog, name: blog, ...(timeZone !== undefined && { timeZone }) }, created);
      const draft = { sponsor: 'Tea', name: 'Days', pace: 'fast', perDay: '2', startsAt: day, endsAt: next };
      const campaign = await run(store, 'campaigns.add', blog, { ...draft, goalImpressions: '9' }, created);
      const ad = { format: 'BANNER', title: 'Tea', campaignId: campaign.id, startsAt: day, endsAt: next };
      const { id, startsAt, endsAt } = await run(store, 'ads.add', blog, ad, created);
      expect([startsAt, endsAt]).toEqual([campaign.startsAt, campaign.endsAt]);
      const delivery = { slots: [{ candidates: [id] }], campaigns: new Map([[id, campaign.id]]), timeZone };
      const delivered = async (at: number) => {
        const all = [1, 2, 3].map(async () =>
          (await store.deliver(blog, delivery, at)).adIds.flatMap((one) => one ?? []),
        );
        return (await Promise.all(all)).flat().length;
      };
      const seen = [start - 1, start, midnight - 1, midnight, end - 2, end].map(delivered);
      expect(await Promise.all(seen)).toEqual([0, 2, 0, 2, 0, 0]);
      const { days } = await run(store, 'stats', blog, {}, end);
      expect(days.map((one) => [one.day, one.impressions])).toEqual([
        [day, 2],
        [next, 2],
      ]);
      // Two on each day: the goal would be reached after the end of the last day.
      const late = await run(store, 'campaigns.report', blog, { campaign: campaign.id }, end - 2);
      expect(late).toMatchObject({ state: 'capped', days: [{ day }, { day: next }] });
      expect(late).not.toHaveProperty('expectedAt');
      expect(
        asText(COMMANDS['campaigns.report'].text?.(late, { campaign: campaign.id }, blog, String) ?? '', false),
      ).toContain(`Last day: ${next}`);
      await run(store, 'campaigns.edit', blog, { campaign: campaign.id, endsAt: '', goalImpressions: '5' }, midnight);
      // Four within the time since the first day began, and one to go.
      const early = await run(store, 'campaigns.report', blog, { campaign: campaign.id }, midnight + 90 * MINUTE);
      const rate = 4 / Math.max(1440 * MINUTE, midnight + 90 * MINUTE - start);
      const expectedAt = Math.floor(midnight + 90 * MINUTE + 1 / rate);
      expect(Date.parse('expectedAt' in early ? (early.expectedAt ?? '') : '')).toBe(expectedAt);
      // The last day of its only ad is over.
      expect((await run(store, 'campaigns.report', blog, { campaign: campaign.id }, end)) as object).toMatchObject({
        state: 'empty',
      });
    },
  );

  test('a post is scheduled, and a link expires, in the time zone of the blog', async () => {
    const now = Date.parse('2026-10-01T12:00:00Z');
    const post = { id: 'p', title: 'P', slug: 'p', status: 'DRAFT' as const };
    await store.importBlogs([{ id: 'posts', name: 'Posts', timeZone: 'Europe/Berlin', posts: [post] }], now);
    const at = async (typed: string) =>
      (await run(store, 'posts.publish', 'posts', { post: 'p', at: typed }, now)).scheduledAt;
    expect(await at('2026-10-25')).toBe('2026-10-24T22:00:00.000Z');
    expect(await at('2026-10-25T09:00')).toBe('2026-10-25T08:00:00.000Z');
    expect(await at('2026-10-25T09:00+00:00')).toBe('2026-10-25T09:00:00.000Z');
    const { id } = await run(store, 'campaigns.add', 'posts', { sponsor: 'Tea', name: 'Link' }, now);
    const share = { campaign: id, expires: '2026-10-25', url: 'https://news.example' };
    expect(await run(store, 'campaigns.report', 'posts', share, now)).toMatchObject({
      expiresAt: '2026-10-25T22:59:59.999Z',
    });
  });
});
