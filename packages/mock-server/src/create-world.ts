import type { SnapshotBlogInput } from '@broadsheet/contract';
import { type ApiOptions, type Caller, createApi, createMemoryStore, type MemoryState } from '@broadsheet/core';
import { createJournal } from './ask/journal.ts';
import { type OffContract, OffContractError } from './ask/off-contract.ts';
import { createTokenLedger, type LedgerState } from './ask/token-ledger.ts';
import { createTokens } from './data/click-tokens.ts';
import { EPOCH } from './data/factory.ts';
import { createRandom, hash } from './data/random.ts';
import { sampleBlog } from './data/sample-blog.ts';
import { asFetch, pageOf } from './doors/page.ts';
import { exchange } from './exchange.ts';
import { codeFor } from './faults/code-for.ts';
import type { Target } from './faults/fault.ts';
import { createFaultBook } from './faults/fault-book.ts';
import { createGates } from './faults/gates.ts';
import { createLensBook } from './lens/lens-book.ts';
import { createClock } from './time/clock.ts';
import { milliseconds } from './time/duration.ts';
import type { InnerWorld, WorldOptions, WorldState } from './world.ts';

/** What a world gets from its mock. */
export interface Home {
  readonly baseUrl: string;
  readonly docsUrl: string;
  /** Makes requests with this key come to the world as well. */
  adopt(apiKey: string): void;
}

/** A {@link WorldState} as the world itself sees it. */
interface Kept extends WorldState {
  readonly store: MemoryState;
  readonly ledger: LedgerState;
  readonly now: number;
  readonly chance: number;
  readonly blog: SnapshotBlogInput;
  readonly apiKey: string;
}

/** Creates a world; its mock brings it its requests. */
export function createWorld(
  options: WorldOptions & { readonly name: string; readonly seed: string },
  home: Home,
): InnerWorld {
  const { name, seed, pace } = options;
  const start = typeof options.start === 'string' ? Date.parse(options.start) : (options.start ?? EPOCH);
  const { baseUrl, docsUrl } = home;
  const visitor = { ip: options.ip ?? '192.0.2.1', origin: options.origin };
  const secret = `mock secret of ${name}`;
  const etagMark = hash(name).toString(36);
  let apiKey = options.apiKey ?? keyOf(name, 0);
  let rotations = 0;

  const clock = createClock(start, pace);
  const random = createRandom(`world ${seed}`);
  const ledger = createTokenLedger(clock);
  const memory = createMemoryStore();
  const journal = createJournal();
  const gates = createGates();
  const faults = createFaultBook();
  const lenses = createLensBook();
  const delays = new Map<Target, number>();
  let strays: OffContract[] = [];
  let blog: SnapshotBlogInput = { id: `blog-${name}`, ...(options.blog ?? sampleBlog(seed)) };
  memory.putBlog({ ...blog, apiKeys: [apiKey] }, clock.now());

  const basePath = new URL(baseUrl).pathname.replace(/\/$/, '');
  const ports = { clock, docsUrl, basePath } satisfies Partial<ApiOptions>;
  const api = createApi({
    ...ports,
    random,
    store: {
      ...ledger.watchStore(memory),
      // Every world counts its revisions from one: without its mark the ETag of one would pass in another.
      findBlog(key) {
        const found = memory.findBlog(key);
        return found && { ...found, revision: `${etagMark}-${found.revision}` };
      },
    },
    tokens: ledger.watchTokens(createTokens(secret)),
  });
  const rehearsal = () => {
    const copy = createMemoryStore();
    copy.restore(memory.snapshot());
    const chance = createRandom(0);
    chance.load(random.save());
    return createApi({ ...ports, random: chance, store: copy, tokens: createTokens(secret) });
  };

  const handle = (request: Request, caller: Caller = {}) => {
    const forwarded = request.headers.get('x-forwarded-for')?.split(',').at(-1)?.trim();
    const from: Caller = { ip: forwarded || caller.ip || visitor.ip, origin: visitor.origin ?? caller.origin };
    return exchange(request, from, {
      ...{ basePath, docsUrl, clock, journal, gates, faults, api, rehearsal, lenses },
      latency: (endpoint) => delays.get(endpoint) ?? delays.get('*') ?? 0,
      requestId: () => `req_${random.uuid()}`,
      report: (stray) => void strays.push(stray),
    });
  };
  const snapshot = (): Kept => ({
    ...{ world: name, blog, apiKey, store: memory.snapshot(), ledger: ledger.save() },
    ...{ now: clock.now(), chance: random.save() },
  });
  const restore = (kept: Kept) => {
    if (kept.world !== name) throw new Error(`world ${name}: the snapshot is of world ${kept.world}; restore it there`);
    ({ blog, apiKey } = kept);
    memory.restore(kept.store);
    ledger.load(kept.ledger);
    random.load(kept.chance);
    clock.set(kept.now);
  };
  const beginning = snapshot();

  return {
    name,
    clock,
    handle,
    get apiKey() {
      return apiKey;
    },
    get connection() {
      return { baseUrl, apiKey };
    },
    get blog() {
      return blog;
    },
    async fetch(input, init) {
      return asFetch(await handle(new Request(input, init), pageOf()));
    },
    put(content) {
      memory.putBlog({ id: blog.id, name: blog.name, domains: blog.domains, ...content }, clock.now());
      blog = {
        ...blog,
        ...content,
        categories: merge(blog.categories, content.categories),
        tags: merge(blog.tags, content.tags),
        posts: merge(blog.posts, content.posts),
        ads: merge(blog.ads, content.ads),
      };
    },
    rotateKey() {
      memory.revokeKey(apiKey);
      rotations += 1;
      apiKey = keyOf(name, rotations);
      memory.addKey(blog.id, apiKey);
      home.adopt(apiKey);
      return apiKey;
    },
    visitAs: (next) => void Object.assign(visitor, next),
    fail(target, status, { code, message, ...rest } = {}) {
      const word = code ?? codeFor(target, status);
      return faults.add(target, { kind: 'failure', code: word, message }, rest);
    },
    disrupt: (target, disruption, rest = {}) => faults.add(target, { kind: 'disruption', disruption }, rest),
    hold: (target, { times = Number.POSITIVE_INFINITY } = {}) => gates.hold(target, times),
    delay: (target, duration) => void delays.set(target, milliseconds(duration)),
    lens: (lens, target = '*') => lenses.set(target, lens),
    calls: journal.calls,
    get journal() {
      return journal.all;
    },
    ad(id) {
      const ids = memory.listAllAds(blog.id).map((ad) => ad.id);
      if (!ids.includes(id)) throw new Error(`world ${name} has no ad ${id}; it has ${ids.join(', ')}`);
      const days = memory.countsByDay(blog.id).filter(({ adId }) => adId === id);
      const sum = (what: 'impressions' | 'clicks') => days.reduce((total, day) => total + day[what], 0);
      return { impressions: sum('impressions'), clicks: sum('clicks') };
    },
    tokens: ledger.book,
    get offContract() {
      return strays;
    },
    assertOnContract() {
      if (strays.length > 0) throw new OffContractError(strays);
    },
    forgive() {
      strays = [];
    },
    reset() {
      faults.clear();
      lenses.clear();
      delays.clear();
      restore(beginning);
      gates.releaseAll();
      journal.clear();
      strays = [];
      Object.assign(visitor, { ip: options.ip ?? '192.0.2.1', origin: options.origin });
    },
    snapshot,
    restore: (kept) => restore(kept as Kept),
  };
}

const keyOf = (name: string, rotation: number): string => {
  const check = hash(`key ${name} ${rotation}`).toString(36);
  return `mock_${encodeURIComponent(name)}${rotation > 0 ? `_${rotation}` : ''}_${check}`;
};

function merge<T extends { readonly id: string }>(before: readonly T[] = [], more: readonly T[] = []): T[] {
  return [...new Map([...before, ...more].map((item) => [item.id, item])).values()];
}
