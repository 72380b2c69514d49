import { copyFileSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { counts, dayOf } from '../law/law.ts';
import type { LawCampaign, Signs } from '../law/world.ts';
import type { Random } from '../prove/random.ts';
import type { Action, Loss, Sender, Step } from './actions.ts';
import { type Call, type Change, Judge, type Problem, type ReceivedToken } from './judge.ts';
import { SimulatedProcess } from './process.ts';
import { COMMAND_LINE, COMMANDS, runCommand } from './product.ts';
import { type Pending, Recorder } from './recorder.ts';
import { Scheduler } from './scheduler.ts';
import type { World } from './world.ts';

/** A history to run. */
export interface HistoryOptions {
  readonly world: World;
  /** A database with the blogs of the world, which is copied. */
  readonly template: string;
  readonly file: string;
  readonly random: Random;
  readonly steps: readonly Step[];
}

export interface Outcome {
  readonly problems: readonly Problem[];
  readonly chances: ReadonlyMap<string, number>;
  /** A hash of every decision and every response. */
  readonly digest: string;
  readonly decisions: number;
  readonly kills: number;
  /** Milliseconds of simulated time. */
  readonly passed: number;
}

const PROCESSES = 3;
/** The milliseconds by which the clocks of processes may differ. */
const SKEWS = [0, 400, -300];
/** The world itself never ends. */
const WORLD = { isAlive: true };
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) Chrome/150.0';

/** Runs a history, and compares everything that happens with the law. */
export async function runHistory(options: HistoryOptions): Promise<Outcome> {
  copyFileSync(options.template, options.file);
  const history = new History(options);
  try {
    return await history.run();
  } finally {
    history.end();
    for (const suffix of ['', '-wal', '-shm']) rmSync(options.file + suffix, { force: true });
  }
}

/** What a command does, once it is known what it changes. */
interface Command {
  readonly name: string;
  readonly args: object;
  readonly change: Omit<Change, 'blog' | 'doneAt'>;
}

class History {
  readonly #options: HistoryOptions;
  readonly #scheduler: Scheduler;
  readonly #recorder = new Recorder<Call | Change>();
  readonly #processes: SimulatedProcess[] = [];
  readonly #judge: Judge;
  readonly #inFlight = new Set<Promise<void>>();
  readonly #inspector: DatabaseSync;
  /** The first call of each delivery, by its number. */
  readonly #deliveries = new Map<number, Call>();
  /** The calls that are not compared yet, with their processes. */
  #calls: (readonly [Call, SimulatedProcess])[] = [];
  #kills = 0;
  #visitors = 0;

  constructor(options: HistoryOptions) {
    const { world, random, file } = options;
    this.#options = options;
    this.#scheduler = new Scheduler(random.fork('schedule'), world.start);
    this.#judge = new Judge(world.blogs.map(({ law }) => law));
    this.#recorder.onAsked = (pending) => this.#judge.ask(pending as Pending<Call>);
    this.#inspector = new DatabaseSync(file);
  }

  async run(): Promise<Outcome> {
    for (let at = 0; at < PROCESSES; at += 1) this.#start(at);
    await this.#settle();
    for (const { action, settles } of this.#options.steps) {
      // Time moves when nothing is under way.
      if (isJump(action)) {
        await this.#settle();
        this.#scheduler.now = Math.max(this.#scheduler.now, this.#timeAfter(action));
        continue;
      }
      this.#begin(action);
      if (settles) await this.#settle();
      else await this.#goOn(this.#scheduler.decisions + 4);
    }
    await this.#settle();
    await this.#compare();
    const { problems, chances } = this.#judge;
    const passed = this.#scheduler.now - this.#options.world.start;
    const { decisions } = this.#scheduler;
    return { problems, chances, digest: this.#scheduler.digest(), decisions, kills: this.#kills, passed };
  }

  end(): void {
    for (const process of this.#processes) if (process.isAlive) process.kill();
    this.#inspector.close();
  }

  #start(at: number): void {
    const { random, file } = this.#options;
    const process = new SimulatedProcess({
      ...{ scheduler: this.#scheduler, random: random.fork(`process ${at} ${this.#kills}`), file },
      ...{ skew: SKEWS[at] ?? 0, recorder: this.#recorder as Recorder },
    });
    process.onKill = () => this.#kill(at);
    this.#processes[at] = process;
    this.#track(process.start());
  }

  /** Remembers something that is under way. */
  #track(work: Promise<unknown>): void {
    const check = (error?: unknown) => {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.#judge.check('nothing fails unexpectedly', error === undefined, () => text);
    };
    const tracked: Promise<void> = work.then(() => check(), check).then(() => void this.#inFlight.delete(tracked));
    this.#inFlight.add(tracked);
  }

  /** Lets everything end that has begun, and applies the law to it. */
  async #settle(): Promise<void> {
    await this.#goOn(Number.POSITIVE_INFINITY);
    this.#judge.check('everything ends', this.#inFlight.size === 0, () => `${this.#inFlight.size} requests did not`);
    this.#inFlight.clear();
    this.#judge.apply(this.#recorder.take());
    for (const [call, process] of this.#calls) {
      const { reply } = call;
      this.#scheduler.note(`${call.kind} ${reply?.status} ${call.ads}`);
      this.#judge.answer(call, process);
    }
    this.#calls = [];
  }

  #goOn(decisions: number): Promise<void> {
    return this.#scheduler.run(() => this.#inFlight.size === 0 || this.#scheduler.decisions >= decisions);
  }

  #begin(action: Action): void {
    const work = this.#perform(action);
    if (work) this.#track(work);
  }

  #perform(action: Action): Promise<unknown> | undefined {
    switch (action.do) {
      case 'deliver':
        return this.#deliver(action);
      case 'repeat':
        return this.#repeat(action);
      case 'click':
        return this.#click(action);
      case 'view':
        return this.#view(action);
      case 'kill':
        this.#process(action.process).killAfter = action.after;
        return undefined;
      case 'fill':
        this.#process(action.process).fullFor = action.statements;
        return undefined;
      case 'activate':
        return this.#activate(action);
      case 'pause':
        return this.#editCampaign(action, ({ paused }) => ({
          name: paused ? 'campaigns.resume' : 'campaigns.pause',
          ...{ args: {}, edit: { paused: !paused } },
        }));
      case 'limit':
        return this.#limit(action);
      default:
        return undefined;
    }
  }

  #process(at: number): SimulatedProcess {
    const process = this.#processes[at];
    if (!process) throw new Error(`There is no process ${at}.`);
    return process;
  }

  /** A call that is to be sent. */
  #callOf(call: Pick<Call, 'kind' | 'blog' | 'slots' | 'key' | 'signs'> & Partial<Call>): Call {
    return { sends: [], ...call, tokens: [], sentAt: 0, began: 0, reply: undefined, mayFail: false, ...UNDECIDED };
  }

  async #deliver({ number, blog, process, slots, key, sender, loss, times }: Of<'deliver'>): Promise<void> {
    const { domains } = this.#judge.blog(blog);
    this.#visitors += 1;
    const signs = signsOf(sender, domains[0], `10.0.${this.#visitors >> 8}.${this.#visitors & 255}`);
    for (let sent = 0; sent < times; sent += 1) {
      const call = this.#callOf({
        ...{ kind: 'deliver', blog, slots, signs },
        key: key ? `simulated-key-${String(number).padStart(8, '0')}` : undefined,
      });
      if (sent === 0) this.#deliveries.set(number, call);
      await this.#send(call, process, loss === 'twice' && !key ? 'none' : loss);
    }
  }

  async #repeat({ of, process, changed, loss }: Of<'repeat'>): Promise<void> {
    const first = this.#deliveries.get(of);
    if (!first?.key) return;
    const isBatch = first.slots[0]?.slotId !== undefined;
    const slots = changed && isBatch ? [...first.slots, { format: 'BANNER', slotId: 'changed' }] : first.slots;
    const call = this.#callOf({ ...first, slots });
    await this.#send(call, process, loss);
    // The tokens of a repeat represent the same impressions.
    first.tokens.push(...call.tokens);
  }

  async #click({ of, slot, processes, visitor, isForeign, loss }: Of<'click'>): Promise<void> {
    const first = this.#deliveries.get(of);
    const token = first && this.#usable(first.tokens).at(slot);
    if (!first || !token) return;
    const signs = signsOf(
      isForeign ? 'foreign' : 'reader',
      this.#judge.blog(first.blog).domains[0],
      `10.1.0.${visitor}`,
    );
    const calls = processes.map((process) =>
      this.#send(this.#callOf({ ...first, kind: 'click', signs, key: undefined, sends: [token] }), process, loss),
    );
    await Promise.all(calls);
  }

  async #view({ of, process, loss }: Of<'view'>): Promise<void> {
    const calls = [...new Set(of)].flatMap((number) => this.#deliveries.get(number) ?? []);
    const [first] = calls;
    // A report is about one blog.
    const own = calls.filter(({ blog }) => blog === first?.blog);
    const byId = new Map(own.flatMap(({ tokens }) => this.#usable(tokens)).map((token) => [token.id, token]));
    if (!first || byId.size === 0) return;
    const sends = [...byId.values()];
    await this.#send(this.#callOf({ ...first, kind: 'view', key: undefined, sends }), process, loss);
  }

  /** The tokens that do not expire while a request is under way. */
  #usable(tokens: readonly ReceivedToken[]): ReceivedToken[] {
    const { now } = this.#scheduler;
    const isQuiet = this.#inFlight.size === 0;
    return tokens.filter(({ until }) => isQuiet || Math.abs(until - now) > 20_000);
  }

  async #activate({ blog, ad: at, process }: Of<'activate'>): Promise<void> {
    const ad = [...this.#judge.blog(blog).ads.values()][at];
    if (!ad) return;
    const active = !ad.active;
    const name = active ? 'ads.resume' : 'ads.pause';
    await this.#command(process, { name, args: { ad: [ad.id] }, change: { ad: { id: ad.id, active } } }, blog);
  }

  async #limit({ goal: count, perDay, ...action }: Of<'limit'>): Promise<void> {
    await this.#editCampaign(action, ({ goal, pace }) => {
      const what = goal?.what ?? 'impressions';
      // An even pace would begin a new plan.
      if (pace === 'even') return { name: 'campaigns.edit', args: { perDay: String(perDay) }, edit: { perDay } };
      const args = { perDay: String(perDay), [what === 'clicks' ? 'goalClicks' : 'goalImpressions']: String(count) };
      return { name: 'campaigns.edit', args, edit: { perDay, goal: { what, count } } };
    });
  }

  async #editCampaign(
    { blog, campaign: at, process }: Pick<Of<'pause'>, 'blog' | 'campaign' | 'process'>,
    edit: (campaign: LawCampaign) => {
      readonly name: string;
      readonly args: object;
      readonly edit: Partial<LawCampaign>;
    },
  ): Promise<void> {
    const campaign = [...this.#judge.blog(blog).campaigns.values()][at];
    if (!campaign) return;
    const { name, args, edit: edited } = edit(campaign);
    const change = { campaign: { ...edited, id: campaign.id } };
    await this.#command(process, { name, args: { campaign: campaign.id, ...args }, change }, blog);
  }

  /** Runs a command of an operator. Its process is not killed meanwhile. */
  async #command(at: number, { name, args, change }: Command, blog: number): Promise<void> {
    const process = this.#process(at);
    const { store } = process;
    if (!store || !process.isAlive) return;
    const pending: Change = { ...change, blog, doneAt: Number.POSITIVE_INFINITY };
    process.commands += 1;
    const { wasFull } = process;
    try {
      const call = { name, blog: this.#judge.blog(blog).id, args, actor: COMMAND_LINE };
      await runCommand({ store, now: process.now(), commands: COMMANDS }, call);
      pending.doneAt = this.#scheduler.now;
      this.#judge.check('every command is carried out', true, () => '');
      const { lastCommit: commit, order } = { lastCommit: process.lastCommit, order: this.#recorder.nextOrder() };
      const event = { call: pending, name: 'command' as const, process, order, args: [], askedAt: process.now() };
      this.#recorder.decided.push({ ...event, commit, result: undefined });
    } catch (error) {
      const isFull = process.wasFull > wasFull;
      this.#judge.check('every command is carried out', isFull, () => `${name}: ${error}`);
    } finally {
      process.commands -= 1;
    }
  }

  /** Sends a request over a network that may lose it or its response, or deliver it twice. */
  async #send(call: Call, at: number, loss: Loss): Promise<void> {
    await this.#hop('request');
    if (loss === 'request') return;
    const process = this.#process(at);
    const second = loss === 'twice' ? this.#handle({ ...call, tokens: [] }, process) : undefined;
    await Promise.all([this.#handle(call, process, loss === 'response'), second]);
  }

  async #handle(call: Call, process: SimulatedProcess, isLost = false): Promise<void> {
    call.sentAt = this.#scheduler.now;
    call.began = process.now();
    const { wasFull } = process;
    const { apiKey } = this.#options.world.blogs[call.blog] ?? { apiKey: '' };
    const reply = await this.#recorder.within(call, () => process.handle(requestOf(call, apiKey)));
    await this.#hop('response');
    call.mayFail = process.wasFull > wasFull;
    if (!reply || isLost) return;
    call.reply = reply;
    this.#calls.push([call, process]);
    if (call.kind === 'deliver' && reply.status === 200) call.tokens.push(...tokensOf(call, reply.body));
  }

  #hop(name: string): Promise<void> {
    return new Promise((resolve) => this.#scheduler.add(WORLD, name, resolve));
  }

  /** Kills a process, unless nobody could tell afterwards what it had committed. */
  #kill(at: number): boolean {
    const process = this.#process(at);
    const pending = [...this.#recorder.pending];
    const own = pending.filter((one) => one.process === process);
    const others = new Set(
      pending.filter((one) => one.process !== process).flatMap(({ call }) => namesOf(call as Call)),
    );
    const names = own.flatMap(({ call }) => namesOf(call as Call));
    if (process.commands > 0 || !process.store || own.some(({ call }) => !isTraceable(call as Call))) return false;
    if (new Set(names).size < names.length || names.some((name) => others.has(name))) return false;
    process.kill();
    this.#kills += 1;
    for (const one of own) {
      this.#recorder.pending.delete(one);
      this.#recover(one as Pending<Call>);
    }
    this.#start(at);
    return true;
  }

  /** Finds out whether the last commit of a process that was killed has recorded something. */
  #recover(pending: Pending<Call>): void {
    const { call, process, name } = pending;
    const { id: blog } = this.#judge.blog(call.blog);
    const read = (sql: string, value: string) => this.#inspector.prepare(sql).all(blog, value) as Row[];
    const decide = (result: unknown) => this.#recorder.decided.push({ ...pending, commit: process.lastCommit, result });
    if (name === 'deliver') {
      const adIds = this.#countedAds(pending, read);
      if (adIds) decide({ outcome: 'counted', adIds });
      return;
    }
    const [table, kind] = name === 'recordClick' ? ['used_tokens', 'click'] : ['viewed_tokens', 'view'];
    const isDecided = (id: string) =>
      this.#judge.isUsed(call.blog, kind, id) ||
      this.#recorder.decided.some((other) => namesOf(other.call as Call).includes(`${kind} ${id}`));
    const isStored = ({ id }: ReceivedToken) =>
      read(`select 1 from ${table} where blog_id = ? and token_id = ?`, id).length > 0 && !isDecided(id);
    if (call.sends.some(isStored)) decide(undefined);
  }

  /** The ads that a delivery got in a commit, if there was one. */
  #countedAds({ call, args }: Pending<Call>, read: (sql: string, value: string) => Row[]): Ads | undefined {
    const rows = call.slots.map(({ slotId = '' }) =>
      read('select ad_id from counts where blog_id = ? and placement = ? and delivered > 0', slotId),
    );
    const isCounted = rows.some(({ length }) => length > 0);
    const isWhole = rows.every(({ length }) => length > 0 === isCounted);
    this.#judge.check('a delivery is counted as a whole', isWhole, () => String(call.key));
    if (call.key === undefined) return isCounted ? rows.map(([row]) => row?.ad_id || undefined) : undefined;
    const { idempotency } = args[1] as {
      readonly idempotency: { readonly deliveryId: string; readonly keyHash: string };
    };
    const [stored] = read(
      'select delivery_id, ads from deliveries where blog_id = ? and key_hash = ?',
      idempotency.keyHash,
    );
    const isOurs = stored?.delivery_id === idempotency.deliveryId;
    const isKnown =
      this.#judge.isCounted(call) || this.#recorder.decided.some((one) => (one.call as Call).key === call.key);
    const isAtomic = isOurs ? isCounted : isCounted === isKnown;
    this.#judge.check('a key is stored with what it counted', isAtomic, () => String(call.key));
    return isOurs ? JSON.parse(stored.ads ?? '').adIds.map((ad: string | null) => ad ?? undefined) : undefined;
  }

  #timeAfter(action: Jump): number {
    const { now } = this.#scheduler;
    if (action.do === 'wait') return now + action.milliseconds;
    if (action.do === 'midnight')
      return (
        nextMidnight(this.#judge.blog(action.blog % this.#options.world.blogs.length).timeZone, now) - action.before
      );
    if (action.do === 'turn') return this.#judge.nextTurn(action.blog, action.ad, now) + action.by;
    const call = this.#deliveries.get(action.of);
    const at = call && this.#judge.expiry(call, action.what);
    return at === undefined ? now : at + action.by;
  }

  /** Compares the figures of every blog with the law, as a process reads them that starts at the end. */
  async #compare(): Promise<void> {
    this.#start(0);
    await this.#goOn(Number.POSITIVE_INFINITY);
    const { store } = this.#process(0);
    for (const [number, { law }] of this.#options.world.blogs.entries()) {
      const read = store?.figures(law.id, { by: ['day', 'ad', 'campaign', 'placement', 'traffic'] });
      const done = Promise.resolve(read).then((figures) =>
        this.#judge.compare(number, (figures ?? []) as Parameters<Judge['compare']>[1]),
      );
      this.#track(done);
      await this.#goOn(Number.POSITIVE_INFINITY);
    }
  }
}

type Ads = readonly (string | undefined)[];
/** A row that the inspector reads. */
interface Row {
  readonly ad_id?: string;
  readonly delivery_id?: string;
  readonly ads?: string;
}

type Of<Name extends Action['do']> = Extract<Action, { do: Name }>;
type Jump = Of<'wait' | 'midnight' | 'expire' | 'turn'>;

const isJump = (action: Action): action is Jump => ['wait', 'midnight', 'expire', 'turn'].includes(action.do);

const UNDECIDED = { traffic: undefined, rows: undefined, ads: undefined, hasEvent: false };

/** What two calls must not have in common while a process is killed: an idempotency key or a token. */
const namesOf = (call: Call): string[] =>
  call.kind ? [...(call.key === undefined ? [] : [call.key]), ...call.sends.map(({ id }) => `${call.kind} ${id}`)] : [];

/** Whether the figures show if a call was counted: only readers decide which placements are counted separately. */
const isTraceable = ({ kind, slots, traffic = 'valid' }: Call): boolean =>
  kind !== 'deliver' || (counts(traffic) && slots.every(({ slotId }) => slotId?.includes('.') === true));

function signsOf(sender: Sender, domain: string | undefined, visitor: string): Signs {
  const own = domain === undefined ? undefined : `https://${domain}`;
  const origin = { foreign: 'https://elsewhere.example', homeless: undefined, server: undefined }[sender as string];
  return {
    visitor,
    origin: sender === 'foreign' || sender === 'homeless' || sender === 'server' ? origin : own,
    userAgent: sender === 'bot' ? 'a-bot/1.0' : sender === 'server' ? undefined : BROWSER,
    purpose: sender === 'prefetch' ? 'prefetch;prerender' : undefined,
  };
}

function requestOf(call: Call, apiKey: string) {
  const { origin, userAgent, purpose, visitor } = call.signs;
  const headers = {
    ...{ 'x-api-key': apiKey, 'content-type': call.kind === 'view' ? 'text/plain' : 'application/json' },
    ...(origin !== undefined && { origin }),
    ...(userAgent !== undefined && { 'user-agent': userAgent }),
    ...(purpose !== undefined && { 'sec-purpose': purpose }),
  };
  const query = call.key === undefined ? '' : `?idempotencyKey=${call.key}`;
  const [token] = call.sends;
  if (call.kind === 'click') {
    return {
      path: '/public/ads/tracking/click',
      headers,
      body: JSON.stringify({ clickToken: token?.text }),
      ip: visitor,
    };
  }
  if (call.kind === 'view') {
    return { path: '/measure/viewable', headers, body: call.sends.map(({ text }) => text).join('\n'), ip: visitor };
  }
  const [slot] = call.slots;
  if (slot && slot.slotId === undefined)
    return { path: `/public/ads/formats/${slot.format}${query}`, headers, ip: visitor };
  return { path: `/public/ads/formats${query}`, headers, body: JSON.stringify({ slots: call.slots }), ip: visitor };
}

function tokensOf(call: Call, body: string): ReceivedToken[] {
  const value: unknown = JSON.parse(body);
  const results = (Array.isArray(value) ? value : [value]) as readonly { readonly clickToken?: string }[];
  return results.flatMap(({ clickToken: text }, slot) => {
    if (text === undefined) return [];
    const claims = JSON.parse(Buffer.from(text.split('.')[1] ?? '', 'base64url').toString());
    const issuedAt = claims.iat * 1000;
    return [{ text, id: claims.jti, issuedAt, until: issuedAt + 600_000, call, slot, claims }];
  });
}

/** The next time at which the day changes in a time zone, found to the minute. */
function nextMidnight(timeZone: string, now: number): number {
  const today = dayOf(now, timeZone);
  let [low, high] = [now, now + 26 * 3_600_000];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (dayOf(middle, timeZone) === today) low = middle;
    else high = middle;
  }
  return high;
}
