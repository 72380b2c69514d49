import { type SnapshotBlogInput, WEBHOOK_TYPES, type WebhookType } from '@broadsheet/contract';
import type { Click, Delivery, Range, Traffic, ViewableImpression } from '@broadsheet/core';
import type { CommandName } from '@broadsheet/management';
import fc from 'fast-check';
import {
  ADS,
  BLOGS,
  CAMPAIGNS,
  CATEGORIES,
  HOOKS,
  KEYS,
  MINUTE,
  POSTS,
  SLUGS,
  START,
  TAGS,
  WORDS,
} from './universe.ts';

/** A blog in an import, without its id; `many` adds that many posts whose titles have a word in common. */
export type Part = Omit<SnapshotBlogInput, 'id'> & {
  readonly many?: { readonly count: number; readonly word: string };
};

export interface Import {
  readonly do: 'import';
  readonly blog: string;
  readonly parts: readonly Part[];
  readonly prune?: boolean;
  readonly keepNames?: boolean;
  readonly dryRun?: boolean;
  /** Whether it is sent through `/manage`, as by a remote command line. */
  readonly remote?: boolean;
  /** Runs after the first part, if the store can write then, and otherwise after the import. */
  readonly meanwhile?: Step;
}

/** A step with all its data, so that each store gets the same. */
export type Step =
  | Import
  /** Writes a blog by the port of the API. */
  | { readonly do: 'put'; readonly blog: string; readonly part: Part }
  /** Imports the export of a blog, which changes nothing. */
  | { readonly do: 'round trip'; readonly blog: string }
  /** A command of an operator. */
  | { readonly do: 'run'; readonly name: CommandName; readonly blog: string; readonly args: object }
  | { readonly do: 'key'; readonly how: 'add' | 'rotate' | 'revoke'; readonly blog: string; readonly key: string }
  | { readonly do: 'hook'; readonly blog: string; readonly hook: string; readonly types: readonly WebhookType[] }
  /** Sends one of the messages of a blog again. */
  | { readonly do: 'resend'; readonly blog: string; readonly message: number }
  /** Sends the messages that are due; each receiver responds with its status, by default 200. */
  | { readonly do: 'send'; readonly statuses: Readonly<Record<string, number>> }
  /** A request for a blog, which publishes its due posts. */
  | { readonly do: 'visit'; readonly blog: string }
  | { readonly do: 'search'; readonly blog: string; readonly terms: readonly string[]; readonly range: Range }
  | Deliver
  | { readonly do: 'click'; readonly blog: string; readonly click: Click }
  | { readonly do: 'beacon'; readonly blog: string; readonly impressions: readonly ViewableImpression[] };

export interface Deliver {
  readonly do: 'deliver';
  readonly blog: string;
  readonly format: 'BANNER' | 'POPUP';
  readonly slots: readonly string[];
  readonly traffic?: Traffic;
  readonly idempotency?: Delivery['idempotency'];
}

/** The commands of a sequence: steps, and commands that refer to earlier steps or concern the stores as a whole. */
export type Command =
  | Step
  /**
   * Repeats the latest import of a blog. `title` changes one of its posts; `id` is the new one of a file that was
   * renamed, in an import that prunes.
   */
  | {
      readonly do: 'again';
      readonly blog: string;
      readonly post: number;
      readonly title?: string;
      readonly id?: string;
    }
  /** A click or a beacon for an ad that was delivered. */
  | { readonly do: 'tap'; readonly token: number; readonly visitor?: string }
  | { readonly do: 'see'; readonly tokens: readonly number[] }
  /** A reader who sees an ad and clicks it. */
  | { readonly do: 'read'; readonly blog: string; readonly visitor?: string }
  /** The number of slots with different names. */
  | { readonly do: 'flood'; readonly blog: string; readonly slots: number; readonly named: string }
  /** Restores what was deleted last, alone or with all that was deleted with it. */
  | { readonly do: 'undo'; readonly blog: string; readonly kind: 'post' | 'ad' | 'campaign'; readonly all?: boolean }
  | { readonly do: 'pass'; readonly minutes: number }
  /** The following commands run in this process, if the store can have several. */
  | { readonly do: 'process'; readonly number: 0 | 1 }
  | { readonly do: 'restart' };

const one = <T>(values: readonly T[]) => fc.constantFrom(...values);
/** Mostly the same one, so that commands interact. */
const blog = one(['a', 'a', 'a', 'a', ...BLOGS]);
const words = fc.array(one(WORDS), { minLength: 1, maxLength: 3 }).map((some) => some.join(' '));
const some = <T>(values: readonly T[]) => fc.subarray([...values]);
const time = one([-40 * 24 * 60, -60, 0, 10, 90, 26 * 60]).map((minutes) => stamp(START + minutes * MINUTE));
const stamp = (at: number) => new Date(at).toISOString();

const post = fc.record(
  {
    id: one(POSTS),
    slug: one(SLUGS),
    title: words,
    subtitle: words,
    status: one(['PUBLISHED', 'PUBLISHED', 'DRAFT', 'SCHEDULED'] as const),
    publishedAt: fc.option(time),
    scheduledAt: fc.option(time),
    coverUrl: one(['https://example.com/1.png', null]),
    categoryIds: some(CATEGORIES),
    tagIds: some(TAGS),
    createdAt: time,
    updatedAt: time,
  },
  { requiredKeys: ['id', 'slug', 'title'] },
);
/** Most posts have their own slug, so that few imports are refused. */
const posts = fc
  .uniqueArray(fc.tuple(post, fc.nat(15)), { selector: ([{ id }]) => id, maxLength: 4 })
  .map((pairs) => pairs.map(([item, dice]) => ({ ...item, ...(dice > 0 && { slug: item.id.replace('p', 's') }) })));
const label = (ids: readonly string[]) =>
  some(ids).chain((chosen) => fc.tuple(...chosen.map((id) => fc.record({ id: fc.constant(id), name: one(WORDS) }))));
const ad = fc.record(
  {
    id: one(ADS),
    format: one(['BANNER', 'BANNER', 'POPUP'] as const),
    priority: fc.nat(2),
    active: fc.nat(3).map((dice) => dice > 0),
    title: one(WORDS),
    campaignId: one(CAMPAIGNS),
  },
  { requiredKeys: ['id', 'format', 'campaignId'] },
);
const campaign = fc.record(
  {
    id: one(CAMPAIGNS),
    sponsor: one(WORDS),
    name: one(WORDS),
    pace: one(['fast', 'fast', 'even'] as const),
    goal: one([null, { impressions: 3 }, { clicks: 1 }, { impressions: 500, clicks: 2 }]),
    perDay: one([null, 2]),
    startsAt: one([null, stamp(START - MINUTE)]),
    endsAt: one([null, stamp(START + 40 * 24 * 60 * MINUTE)]),
    kind: one(['paid', 'paid', 'house'] as const),
    placements: one([['top'], ['s*', 'other']]),
    paused: one([false, false, true]),
  },
  { requiredKeys: ['id', 'sponsor', 'name'] },
);
const part = (requiredKeys: ('name' | 'posts' | 'categories' | 'tags' | 'campaigns' | 'ads' | 'apiKeys')[]) =>
  fc.record(
    {
      name: one(WORDS),
      posts,
      categories: label(CATEGORIES),
      tags: label(TAGS),
      campaigns: fc.uniqueArray(campaign, { selector: ({ id }) => id, maxLength: 2 }),
      ads: fc.uniqueArray(ad, { selector: ({ id }) => id, maxLength: 3 }),
      many: fc.record({ count: one([30, 30, 600]), word: one(WORDS) }),
      domains: one([[], ['example.com']]),
      timeZone: one(['UTC', 'Asia/Tokyo']),
      apiKeys: some(KEYS),
    },
    { requiredKeys },
  );
/** Most parts have the labels and campaigns that their items name, and few of them are large. */
const usual = (given: fc.Arbitrary<Part>, maxDice: number) =>
  fc.tuple(given, fc.nat(maxDice)).map(([{ many, apiKeys, ...rest }, dice]): Part => {
    const { posts: all = [], categories = [], tags = [], campaigns = [], ads = [] } = rest;
    const named = (labels: readonly { readonly id: string }[], ids: readonly string[] | undefined) =>
      ids?.filter((id) => labels.some((known) => known.id === id)) ?? [];
    const labelled = all.map((item) => {
      return { ...item, categoryIds: named(categories, item.categoryIds), tagIds: named(tags, item.tagIds) };
    });
    const missing = CAMPAIGNS.filter(
      (id) => ads.some((item) => item.campaignId === id) && !named(campaigns, [id]).length,
    );
    const added = missing.map((id) => ({ id, sponsor: id, name: id }));
    return {
      ...rest,
      ...(dice > 1 && { posts: labelled }),
      ...(dice > 1 && rest.ads && { campaigns: [...campaigns, ...added] }),
      ...(dice > 14 && many && { many }),
      ...(dice > 11 && apiKeys && { apiKeys }),
    };
  });
const smallPart = usual(part(['name', 'posts']), 15);

const itemOf = { post: one(POSTS), ad: one(ADS), campaign: one(CAMPAIGNS) };
const hook = one(HOOKS);
const run = (name: CommandName, args: Record<string, fc.Arbitrary<unknown>> = {}, optional: string[] = []) => {
  const requiredKeys = Object.keys(args).filter((key) => !optional.includes(key));
  return fc.record({
    do: fc.constant('run' as const),
    name: fc.constant(name),
    blog,
    args: fc.record(args, { requiredKeys }),
  });
};
const restored = (kind: keyof typeof itemOf) => run(`${kind}s.restore`, { [kind]: itemOf[kind] });
const act = <D extends string, Fields extends object>(
  name: D,
  fields: { [K in keyof Fields]: fc.Arbitrary<Fields[K]> },
) => fc.record(fields).map((values) => ({ do: name, ...values }) as { readonly do: D } & Fields);

/**
 * The commands that may run in the middle of an import: none that waits for the import, and none for which the import
 * waits.
 */
const meanwhile = (of: string): fc.Arbitrary<Step> => {
  const other = BLOGS.filter((id) => id !== of);
  return fc.oneof(
    fc.record({ other: one(other) }).map((chosen): Step => run_('blogs.delete', chosen.other, { yes: true })),
    fc
      .record({ other: one(other), post: one(POSTS) })
      .map((chosen): Step => run_('posts.delete', chosen.other, { post: chosen.post })),
    hook.map((id): Step => run_('hooks.delete', of, { hook: id })),
    fc.constant(run_('hooks.delete', of, { hook: 'h0' })),
  );
};
const run_ = (name: CommandName, of: string, args: object): Step => ({ do: 'run', name, blog: of, args });

const imports = blog.chain((of) =>
  fc.record(
    {
      do: fc.constant('import' as const),
      blog: fc.constant(of),
      parts: fc.array(smallPart, { minLength: 1, maxLength: 3 }),
      prune: fc.boolean(),
      keepNames: fc.boolean(),
      dryRun: fc.nat(8).map((dice) => dice === 8),
      remote: fc.boolean(),
    },
    { requiredKeys: ['do', 'blog', 'parts'] },
  ),
);

/** The first commands: a blog that has everything. */
export const opening: fc.Arbitrary<Command[]> = usual(
  part(['name', 'posts', 'categories', 'tags', 'campaigns', 'ads', 'apiKeys']),
  13,
).map((given) => [
  { do: 'import', blog: 'a', parts: [{ ...given, apiKeys: KEYS.slice(0, 1) }] },
  { do: 'hook', blog: 'a', hook: 'h0', types: WEBHOOK_TYPES },
]);

/** An import in the middle of which something else happens. */
const interrupted = blog.chain((of) =>
  act('import', {
    blog: fc.constant(of),
    parts: fc.tuple(
      fc.tuple(smallPart, one([0, 600]), one(WORDS)).map(([given, count, word]): Part => {
        return count === 0 ? given : { ...given, many: { count, word } };
      }),
      // Whether the keys of a blog that is deleted in the meantime are free depends on the store.
      smallPart.map(({ apiKeys: _, ...rest }): Part => rest),
    ),
    meanwhile: meanwhile(of),
  }),
);

const weighted = (weight: number, ...arbitraries: fc.Arbitrary<Command>[]) =>
  arbitraries.map((arbitrary) => ({ weight, arbitrary }));

export const command: fc.Arbitrary<Command> = fc.oneof(
  ...weighted(12, imports),
  ...weighted(
    5,
    act('again', { blog, post: fc.nat(3) }),
    act('again', { blog, post: fc.nat(3), title: words }),
    act('again', { blog, post: fc.nat(3), id: itemOf.post }),
    act('tap', { token: fc.nat(2), visitor: one(['v', 'w']) }),
    act('read', { blog, visitor: one(['v', 'v', 'w']) }),
    act('undo', { blog, kind: one(['post', 'post', 'ad', 'campaign'] as const), all: fc.boolean() }),
    run('posts.delete', { post: itemOf.post }),
    interrupted,
    act('hook', { blog, hook, types: one<readonly WebhookType[]>([WEBHOOK_TYPES, WEBHOOK_TYPES, ['ads.changed']]) }),
    act('deliver', {
      blog,
      format: one(['BANNER', 'BANNER', 'POPUP'] as const),
      slots: fc.array(one(['top', 'side', 'other', 'é']), { minLength: 1, maxLength: 3 }),
      traffic: one<Traffic>(['valid', 'valid', 'bot', 'unknown']),
    }),
    act('search', {
      blog,
      terms: fc.uniqueArray(one(['alp', 'al', 'bet', 'ete', '日', '00', 'a', 'wo', '1']), {
        minLength: 1,
        maxLength: 3,
      }),
      range: one([
        { offset: 0, limit: 50 },
        { offset: 1, limit: 3 },
      ]),
    }),
    act('pass', { minutes: one([1, 9, 9, 20, 20, 31, 120, 24 * 60, 31 * 24 * 60]) }),
  ),
  ...weighted(
    3,
    act('put', { blog, part: smallPart }),
    act('see', { tokens: fc.array(fc.nat(9), { minLength: 1, maxLength: 3 }) }),
    act('send', { statuses: fc.dictionary(hook, one([200, 500, 410])) }),
    act('visit', { blog }),
    run('posts.publish', { post: itemOf.post, at: time }, ['at']),
    run('posts.unpublish', { post: itemOf.post }),
    run('ads.delete', { ad: itemOf.ad }),
    run('campaigns.delete', { campaign: itemOf.campaign }),
  ),
  ...weighted(
    2,
    act('process', { number: one([0, 1] as const) }),
    act('key', { how: one(['add', 'rotate', 'revoke'] as const), blog, key: one(KEYS) }),
    act('flood', { blog, slots: one([150, 201]), named: one(['x', 'y']) }),
    restored('ad'),
    restored('campaign'),
    run('ads.pause', { ad: itemOf.ad.map((ad) => [ad]) }),
    run('ads.resume', { ad: itemOf.ad.map((ad) => [ad]) }),
    run('ads.edit', { ad: itemOf.ad, title: one(WORDS) }),
    run(
      'campaigns.edit',
      {
        ...{ campaign: itemOf.campaign, name: one(WORDS), perDay: one(['', '2']), pace: one(['even', 'fast']) },
        ...{
          goalImpressions: one(['3', '500']),
          goalClicks: fc.constant(''),
          endsAt: one(['2024-03-02', '2024-06-01']),
        },
      },
      ['name', 'perDay', 'pace', 'goalImpressions', 'goalClicks', 'endsAt'],
    ),
    run('campaigns.pause', { campaign: itemOf.campaign }),
    run('campaigns.resume', { campaign: itemOf.campaign }),
    act('resend', { blog, message: fc.nat(5) }),
  ),
  ...weighted(
    1,
    fc.constant({ do: 'restart' }),
    act('round trip', { blog }),
    act('deliver', {
      blog,
      format: fc.constant('BANNER' as const),
      slots: fc.constant(['top']),
      idempotency: one(['one', 'two']).map((requestHash) => ({ keyHash: 'key', requestHash, deliveryId: requestHash })),
    }),
    run('blogs.delete', { yes: fc.constant(true) }),
    run('blogs.create', { name: one(WORDS) }),
    run('blogs.rename', { name: one(WORDS) }),
    run('blogs.domains', { add: one([['example.com'], ['*.example.org']]) }),
    run('blogs.time-zone', { timeZone: one(['UTC', 'Asia/Tokyo']) }),
    run('hooks.test', { hook }),
    run('hooks.rotate', { hook }),
    run('hooks.delete', { hook }),
  ),
);
