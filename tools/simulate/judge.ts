import { click, counts, deliver, emptyLedger, keyInUse, keyOf, type Ledger, trafficOf, view } from '../law/law.ts';
import type {
  LawAd,
  LawBlog,
  LawCampaign,
  LawCounts,
  LawRow,
  LawSlot,
  LawToken,
  LawTraffic,
  Signs,
} from '../law/world.ts';
import type { Reply } from './process.ts';
import type { Decided, Pending, RecordedProcess } from './recorder.ts';

/** A promise that was not kept. */
export interface Problem {
  readonly rule: string;
  readonly text: string;
}

/** A token that a response contained. */
export interface ReceivedToken {
  readonly text: string;
  readonly id: string;
  /** When it was issued and when it expires, in milliseconds since the epoch. */
  readonly issuedAt: number;
  readonly until: number;
  /** The call of its delivery, and its slot. */
  readonly call: Call;
  readonly slot: number;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** A request of a client, with everything that is known about it. */
export interface Call {
  readonly kind: 'deliver' | 'click' | 'view';
  /** The number of its blog. */
  readonly blog: number;
  readonly slots: readonly LawSlot[];
  readonly key?: string | undefined;
  readonly signs: Signs;
  /** The first call with the same key. */
  readonly first?: Call | undefined;
  /** The tokens that it sends. */
  readonly sends: readonly ReceivedToken[];
  /** The tokens that it received. */
  readonly tokens: ReceivedToken[];
  /** When it was sent, by the simulated time and by the clock of its process. */
  sentAt: number;
  began: number;
  reply?: Reply | undefined;
  /** Whether the disk of its process was full meanwhile, so that it may get a 503. */
  mayFail: boolean;
  /** The traffic and the rows of its delivery by the law, once it is decided. */
  traffic?: LawTraffic | undefined;
  rows?: readonly LawRow[] | undefined;
  /** The ads that the store chose. */
  ads?: readonly (string | undefined)[] | undefined;
  hasEvent: boolean;
}

/** A blog as the law sees it, with the ads that it had before recent changes. */
interface State {
  law: LawBlog;
  readonly ledger: Ledger;
  readonly earlier: { readonly ads: ReadonlyMap<string, LawAd>; readonly change: Change }[];
}

/** A change of a command. */
export interface Change {
  readonly blog: number;
  readonly ad?: { readonly id: string; readonly active: boolean } | undefined;
  readonly campaign?: (Partial<LawCampaign> & { readonly id: string }) | undefined;
  /** When its command was acknowledged, by the simulated time. */
  doneAt: number;
}

interface Delivered {
  readonly outcome: 'counted' | 'replayed' | 'mismatched';
  readonly adIds: readonly (string | undefined)[];
}

/** Milliseconds within which every process shows a change. */
const SECOND = 1000;

/** Compares what happens with the law of counting. */
export class Judge {
  readonly problems: Problem[] = [];
  /** How often each rule had a chance to fail. */
  readonly chances = new Map<string, number>();
  readonly #states: readonly State[];

  constructor(blogs: readonly LawBlog[]) {
    this.#states = blogs.map((law) => ({ law, ledger: emptyLedger(), earlier: [] }));
  }

  blog(number: number): LawBlog {
    return this.#state(number).law;
  }

  #state(number: number): State {
    const state = this.#states[number];
    if (!state) throw new Error(`There is no blog ${number}.`);
    return state;
  }

  /** Records that a rule had a chance to fail, and whether it did. */
  check(rule: string, isKept: boolean, text: () => string): void {
    this.chances.set(rule, (this.chances.get(rule) ?? 0) + 1);
    if (!isKept) this.problems.push({ rule, text: text() });
  }

  /** Whether the key of a delivery has been counted already. */
  isCounted({ blog, key }: Call): boolean {
    return key !== undefined && this.#state(blog).ledger.keys.has(key);
  }

  /** Whether a token has been used for a click, or for a report, already. */
  isUsed(blog: number, kind: string, id: string): boolean {
    const { used, viewed } = this.#state(blog).ledger;
    return (kind === 'click' ? used : viewed).has(id);
  }

  /** When an ad or its campaign begins or ends to run. */
  nextTurn(blog: number, ad: number, now: number): number {
    const { ads, campaigns } = this.blog(blog);
    const chosen = [...ads.values()][ad % ads.size];
    const campaign = campaigns.get(chosen?.campaign ?? '');
    const turns = [chosen?.from, chosen?.until, campaign?.from, campaign?.until];
    return Math.min(
      ...(turns.filter((turn) => turn !== undefined && turn > now && Number.isFinite(turn)) as number[]),
      now + 40 * 86_400_000,
    );
  }

  /** When the key or the token of a delivery expires, or a click on its first ad counts again. */
  expiry({ blog, key, tokens: [token] }: Call, what: 'key' | 'token' | 'repeat'): number | undefined {
    const { keys, clicked } = this.#state(blog).ledger;
    if (what === 'token') return token?.until;
    const use = key === undefined ? undefined : keys.get(key);
    if (what === 'key') return use && use.at + 600_000;
    const last = [...clicked.values()].at(-1);
    return last === undefined ? undefined : last + 1_800_000;
  }

  /** Called when a process asks its store to record something: bursts are counted in this order. */
  ask({ name, call, args, process, askedAt }: Pending<Call>): void {
    call.hasEvent = true;
    if (name !== 'deliver') return;
    const [, delivery, at] = args as [string, { readonly traffic?: LawTraffic }, number];
    this.check('the time of an event is that of its process', call.began <= at && at <= askedAt, () => String(at));
    const traffic = trafficOf(this.blog(call.blog), call.signs, at, process.visits);
    call.traffic = traffic;
    const found = delivery.traffic ?? 'valid';
    this.check(
      'traffic is classified',
      found === traffic,
      () => `${JSON.stringify(call.signs)}: ${found}, not ${traffic}`,
    );
  }

  /** Applies the law to what was decided, in the order of the commits. */
  apply(decided: readonly Decided<Call | Change>[]): void {
    for (const event of decided) {
      if (event.name === 'deliver') this.#deliver(event as Decided<Call>);
      else if (event.name === 'recordClick') this.#click(event as Decided<Call>);
      else if (event.name === 'recordViewable') this.#view(event as Decided<Call>);
      else this.#change(event.call as Change);
    }
  }

  #deliver({ call, args: [, , at], result }: Decided<Call>): void {
    const { ledger } = this.#state(call.blog);
    const time = at as number;
    const { outcome, adIds } = result as Delivered;
    const body = JSON.stringify(call.slots);
    const use = call.key === undefined ? undefined : keyInUse(ledger, call.key, time);
    const expected = !use ? 'counted' : use.body === body ? 'replayed' : 'mismatched';
    const describe = () => `${call.key} at ${time}: ${outcome}, not ${expected}`;
    if (call.key !== undefined) this.check('a key counts once within ten minutes', outcome === expected, describe);
    if (outcome !== expected || outcome === 'mismatched') return;
    call.ads = adIds;
    if (use) {
      call.rows = use.rows;
      const isSame = String(adIds) === String(use.ads);
      this.check('a repeat gets the same ads', isSame, () => `${call.key}: ${adIds}, not ${use.ads}`);
      return;
    }
    const rows = this.#decide(call, time, adIds);
    if (!rows) return;
    call.rows = rows;
    if (call.key !== undefined) ledger.keys.set(call.key, { at: time, body, ads: adIds, rows });
  }

  /** Tries the ads of the blog as they are, and as they were within the last second. */
  #decide(call: Call, at: number, chosen: Delivered['adIds']): LawRow[] | undefined {
    const { ledger } = this.#state(call.blog);
    const decision = { at, slots: call.slots, traffic: call.traffic ?? 'valid', chosen };
    let problem = '';
    for (const blog of this.#versions(call)) {
      const rows = deliver(blog, ledger, decision);
      if (typeof rows !== 'string') {
        this.check('only ads that the law allows are delivered', true, () => '');
        return rows;
      }
      problem ||= rows;
    }
    this.check('only ads that the law allows are delivered', false, () => `${at}: ${problem}`);
    return undefined;
  }

  #versions({ blog, sentAt }: Call): LawBlog[] {
    const { law, earlier } = this.#state(blog);
    const recent = earlier.filter(({ change }) => change.doneAt + SECOND > sentAt);
    return [law, ...recent.toReversed().map(({ ads }) => ({ ...law, ads }))];
  }

  #click({ call, args: [, event], result }: Decided<Call>): void {
    const { law, ledger } = this.#state(call.blog);
    const [sent] = call.sends;
    const token = sent && this.#lawToken(sent);
    if (!token) return;
    const { at } = event as { readonly at: number };
    const status = click(law, ledger, { token, at, visitor: call.signs.visitor, origin: call.signs.origin });
    // A process that was killed gave no result.
    if (result === undefined) return;
    const found = result === 'used' ? 409 : 200;
    this.check('a token is accepted once', found === status, () => `${token.id}: ${found}, not ${status}`);
  }

  #view({ call, args: [, impressions] }: Decided<Call>): void {
    const { ledger } = this.#state(call.blog);
    const recorded = new Set((impressions as readonly { readonly tokenId: string }[]).map(({ tokenId }) => tokenId));
    for (const sent of call.sends) {
      const token = this.#lawToken(sent);
      if (token && recorded.has(sent.id)) view(ledger, token, call.began);
    }
    const due = call.sends.filter(
      (sent) => sent.until > call.began && counts(sent.call.rows?.[sent.slot]?.traffic ?? 'bot'),
    );
    const isComplete = due.every(({ id }) => recorded.has(id)) && recorded.size <= due.length;
    this.check(
      'the views of valid tokens are recorded',
      isComplete,
      () => `${[...recorded]}, not ${due.map(({ id }) => id)}`,
    );
  }

  #lawToken({ id, call, slot, issuedAt }: ReceivedToken): LawToken | undefined {
    const row = call.rows?.[slot];
    return row && { id, row, issuedAt };
  }

  #change(change: Change): void {
    const state = this.#state(change.blog);
    const { law } = state;
    if (change.ad) {
      const ad = law.ads.get(change.ad.id);
      if (!ad) return;
      state.earlier.push({ ads: law.ads, change });
      state.law = { ...law, ads: new Map(law.ads).set(ad.id, { ...ad, active: change.ad.active }) };
    }
    const campaign = law.campaigns.get(change.campaign?.id ?? '');
    if (!campaign) return;
    const edited = { ...campaign, ...change.campaign };
    state.law = { ...law, campaigns: new Map(law.campaigns).set(campaign.id, edited) };
  }

  /** Compares a response with what was decided. */
  answer(call: Call, process: RecordedProcess): void {
    const { reply } = call;
    if (!reply) return;
    if (reply.status === 503) {
      this.check('a 503 has a reason', call.mayFail, () => `${call.kind} by a process whose disk was not full`);
      return;
    }
    const expected = this.#statuses(call, process);
    const describe = () => `${call.kind}: ${reply.status} ${reply.body.slice(0, 120)}, not ${expected.join(' or ')}`;
    this.check('every refusal has a reason', expected.includes(reply.status), describe);
    if (call.kind !== 'deliver' || reply.status !== 200) return;
    this.check('a delivery that is acknowledged was recorded', call.ads !== undefined, () => reply.body.slice(0, 200));
    this.#answerDelivery(call, parsed(reply.body));
  }

  /** The statuses that a response may have. */
  #statuses(call: Call, process: RecordedProcess): readonly number[] {
    if (call.kind === 'view') return [204];
    if (call.kind === 'deliver') return call.ads || !call.hasEvent ? [200] : [400];
    const { law } = this.#state(call.blog);
    const until = call.sends[0]?.until ?? 0;
    const isForeign = law.domains.length > 0 && call.signs.origin !== `https://${law.domains[0]}`;
    if (isForeign) return [403];
    if (call.hasEvent) return until > call.began ? [200, 409] : [];
    return until <= process.now() ? [400] : [];
  }

  /** Compares the ads and the tokens of a response with the rows of its delivery. */
  #answerDelivery(call: Call, body: unknown): void {
    const results = (Array.isArray(body) ? body : [body ?? {}]) as readonly {
      readonly filled: boolean;
      readonly id?: string;
    }[];
    for (const [slot, ad] of (call.ads ?? []).entries()) {
      const result = results[slot];
      const isRemoved = ad !== undefined && !this.#versions(call).every(({ ads }) => ads.get(ad)?.active);
      const isRight = result?.id === ad || (result?.filled === false && isRemoved);
      this.check('a response has the ads that were counted', isRight, () => `slot ${slot}: ${result?.id}, not ${ad}`);
    }
    for (const { claims, slot, issuedAt } of call.tokens) {
      const row = call.rows?.[slot];
      if (!row) continue;
      const day = claims['day'] ?? new Date(issuedAt).toISOString().slice(0, 10);
      const found: LawRow = {
        ...{ day: String(day), ad: String(claims['sub']), campaign: String(claims['campaign'] ?? '') },
        ...{ placement: String(claims['placement'] ?? ''), traffic: (claims['traffic'] ?? 'valid') as LawTraffic },
      };
      const isRight = keyOf(found) === keyOf(row);
      this.check('a token says how its impression was counted', isRight, () => `${keyOf(found)}, not ${keyOf(row)}`);
    }
  }

  /** Compares the figures of a blog with everything that was counted. */
  compare(number: number, figures: readonly (LawRow & { requests: number; viewable: number; clicks: number })[]): void {
    const { ledger } = this.#state(number);
    const counted = folded(figures.map((row) => [keyOf(row), row]));
    const dues = folded(ledger.rows);
    for (const key of new Set([...counted.keys(), ...dues.keys()])) {
      const [found, due] = [counted.get(key), dues.get(key)];
      for (const what of ['requests', 'viewable', 'clicks'] as const) {
        const [is, must] = [found?.[what] ?? 0, due?.[what] ?? 0];
        const rule = `${NAMES[what]} are counted exactly`;
        this.check(rule, is === must, () => `blog ${number}, ${key}: ${is}, not ${must}`);
      }
    }
  }
}

const NAMES = { requests: 'impressions', viewable: 'views', clicks: 'clicks' };

/**
 * The sums of rows by their keys. Excluded traffic is added up over its placements: those that no reader has named count
 * as others.
 */
function folded(rows: Iterable<readonly [string, LawCounts]>): Map<string, LawCounts> {
  const sums = new Map<string, LawCounts>();
  for (const [key, { requests, viewable, clicks }] of rows) {
    const [day, ad, campaign, , traffic] = key.split(' ');
    const name = counts(traffic as LawTraffic) ? key : `${day} ${ad} ${campaign} * ${traffic}`;
    const sum = sums.get(name) ?? { requests: 0, viewable: 0, clicks: 0 };
    sums.set(name, {
      requests: sum.requests + requests,
      viewable: sum.viewable + viewable,
      clicks: sum.clicks + clicks,
    });
  }
  return sums;
}

/** The JSON of a body, or `undefined` if it has another form. */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
