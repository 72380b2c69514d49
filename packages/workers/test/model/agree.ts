import { inspect, isDeepStrictEqual } from 'node:util';
import type { Delivered, FirstDelivery, ViewableImpression } from '@broadsheet/core';
import type { Command, Import, Part, Step } from './commands.ts';
import type { Observation } from './observe.ts';
import type { Outcome } from './perform.ts';
import { Receivers } from './receivers.ts';
import { Reference } from './reference.ts';
import type { Request, Response } from './respond.ts';
import type { Kind, Run } from './stores.ts';
import { BLOGS, MINUTE, START } from './universe.ts';

/** Thrown when a store differs from the reference or from another store. */
class Disagreement extends Error {
  override readonly name = 'Disagreement';
}

/** A click token that a delivery has given out. */
interface Token extends ViewableImpression {
  readonly blog: string;
}

/** The time for which a click token is valid, and the time in which the clicks of a visitor on an ad count once. */
const TOKEN_LIFE = 10 * MINUTE;
const REPEATS = 30 * MINUTE;
/**
 * How often, and for how long, an idle process is read again if it has not yet seen the writes of the other one.
 */
const PATIENCE = 2000;
const PAUSE = 25;

/** Runs commands on all stores, and compares everything that can be observed after each. @throws Disagreement */
export async function agree(kinds: readonly Kind[], commands: readonly Command[]): Promise<void> {
  const runs: Run[] = [];
  try {
    for (const kind of kinds) runs.push(await kind.start());
    await new Sequence(kinds, runs).follow(commands);
  } finally {
    for (const run of runs) await run.close();
  }
}

class Sequence {
  readonly #kinds: readonly Kind[];
  readonly #runs: readonly Run[];
  readonly #reference = new Reference();
  readonly #tokens: Token[] = [];
  readonly #imports = new Map<string, Import>();
  #now = START;
  #process = 0;
  readonly #receivers = new Receivers();

  constructor(kinds: readonly Kind[], runs: readonly Run[]) {
    [this.#kinds, this.#runs] = [kinds, runs];
  }

  async follow(commands: readonly Command[]): Promise<void> {
    for (const [index, command] of commands.entries()) {
      try {
        await this.#follow(command);
      } catch (error) {
        if (error instanceof Disagreement) error.message = `after command ${index + 1}: ${error.message}`;
        throw error;
      }
    }
    await this.#compare({ now: this.#now, blogs: BLOGS });
  }

  async #follow(command: Command): Promise<void> {
    // A request takes time, so that no two items are deleted at the same time by different commands.
    this.#now += 1000;
    if (command.do === 'pass') this.#now += command.minutes * MINUTE;
    else if (command.do === 'restart') for (const run of this.#runs) await run.restart();
    else if (command.do === 'process') {
      this.#process = command.number;
      await this.#compare({ now: this.#now, blogs: BLOGS }, PATIENCE);
    } else if (command.do === 'read') {
      const { blog, visitor } = command;
      await this.#follow({ do: 'deliver', blog, format: 'BANNER', slots: ['top'] });
      await this.#follow({ do: 'tap', token: 0, ...(visitor !== undefined && { visitor }) });
    } else {
      const step = this.#stepOf(command);
      if (step) await this.#perform(step);
    }
  }

  async #perform(step: Step): Promise<void> {
    const touched = new Set([
      (step as { readonly blog?: string }).blog ?? '',
      (step as Import).meanwhile ? meanwhileBlog(step as Import) : '',
    ]);
    const blogs = step.do === 'send' ? BLOGS : BLOGS.filter((blog) => touched.has(blog));
    const outcome = await this.#compare({ step, now: this.#now, blogs });
    if (step.do === 'deliver' && outcome && 'done' in outcome)
      this.#collect(step, outcome.done as Delivered & FirstDelivery);
  }

  /** A step with all its data; `undefined` if there is nothing to which it can refer. */
  #stepOf(command: Exclude<Command, { do: 'pass' | 'restart' | 'process' | 'read' }>): Step | undefined {
    switch (command.do) {
      case 'again': {
        const last = this.#imports.get(command.blog);
        if (!last) return undefined;
        const { post, title, id } = command;
        const changes = { ...(title !== undefined && { title }), ...(id !== undefined && { id }) };
        const parts = last.parts.map((part) => withChange(part, post, changes));
        return { ...last, parts, ...(id !== undefined && { prune: true }) };
      }
      case 'tap': {
        const token = this.#tokenAt(command.token);
        if (!token) return undefined;
        const { blog, day: _, ...click } = token;
        const [at, repeatSince] = [this.#now, this.#now - REPEATS];
        return { do: 'click', blog, click: { ...click, visitor: command.visitor, at, repeatSince } };
      }
      case 'see': {
        const tokens = command.tokens.flatMap((index) => this.#tokenAt(index) ?? []);
        const blog = tokens[0]?.blog;
        if (blog === undefined) return undefined;
        const impressions = tokens.filter((token) => token.blog === blog).map(({ blog: _, ...token }) => token);
        return { do: 'beacon', blog, impressions };
      }
      case 'flood': {
        const slots = Array.from({ length: command.slots }, (_, index) => `${command.named}${index}`);
        return { do: 'deliver', blog: command.blog, format: 'POPUP', slots };
      }
      case 'deliver': {
        const { idempotency } = command;
        // Each delivery has its own id.
        return idempotency ? { ...command, idempotency: { ...idempotency, deliveryId: String(this.#now) } } : command;
      }
      case 'undo': {
        const { blog, kind, all } = command;
        const last = this.#reference.lastDeleted(blog, kind);
        if (!last) return undefined;
        const args = all ? { deletedAt: new Date(last.deletedAt).toISOString() } : { [kind]: last.id };
        return { do: 'run', name: `${kind}s.restore`, blog, args };
      }
      case 'import':
        this.#imports.set(command.blog, command);
        return command;
      default:
        return command;
    }
  }

  #tokenAt(index: number): Token | undefined {
    const valid = this.#tokens.filter(({ tokenExpiresAt }) => tokenExpiresAt > this.#now);
    return valid.at(-1 - index);
  }

  #collect({ blog, slots }: Extract<Step, { do: 'deliver' }>, delivered: Delivered & FirstDelivery): void {
    const { outcome, adIds, day, traffic, campaigns } = delivered;
    if (outcome !== 'counted') return;
    for (const [index, adId] of adIds.entries()) {
      if (!adId) continue;
      const token = { tokenId: `token ${this.#tokens.length}`, tokenExpiresAt: this.#now + TOKEN_LIFE };
      this.#tokens.push({ blog, adId, campaignId: campaigns[adId], placement: slots[index], traffic, day, ...token });
    }
  }

  async #compare(request: Request, patience = 0): Promise<Outcome | undefined> {
    const expected = await this.#refer(request);
    const end = performance.now() + patience;
    const responses: Response[] = [];
    for (const [place, run] of this.#runs.entries()) {
      const name = this.#kinds[place]?.name ?? '';
      for (;;) {
        const response = plain(await run.send(request, this.#process));
        const difference = this.#differenceOf(name, expected, response, responses[0]);
        if (difference === undefined) {
          responses.push(response);
          break;
        }
        if (performance.now() > end) throw new Disagreement(difference);
        await new Promise((resolve) => setTimeout(resolve, PAUSE));
      }
    }
    const [first] = responses;
    if (!first) return expected.outcome;
    for (const blog of request.blogs) {
      const problem = this.#receivers.problemOf(blog, { ...expected.seen[blog], ...first.seen[blog] }, request);
      if (problem !== undefined) throw new Disagreement(`${this.#kinds[0]?.name}, blog ${blog}: ${problem}`);
    }
    return first.outcome;
  }

  async #refer({ step, now, blogs }: Request): Promise<Response> {
    const outcome = step && (await this.#reference.perform(step, now));
    const seen: Record<string, Observation> = {};
    for (const blog of blogs) seen[blog] = await this.#reference.observe(blog, now);
    return plain({ outcome, seen });
  }

  /** How a response differs from the expected one of the reference, or from the response of the first store. */
  #differenceOf(name: string, expected: Response, response: Response, first: Response | undefined): string | undefined {
    const [wanted, got] = [expected.outcome, response.outcome];
    if (got && 'crashed' in got) return `${name} fails: ${got.crashed}`;
    if (wanted && got && kindOf(wanted) !== kindOf(got)) {
      return `${name}: expected ${inspect(wanted)}, received ${inspect(got)}`;
    }
    const known = wanted && 'done' in wanted && wanted.done !== undefined ? { outcome: wanted } : {};
    const others = first && { outcome: first.outcome, seen: first.seen };
    return (
      difference(`${name} and memory`, { ...known, seen: expected.seen }, response) ??
      (others && difference(`${name} and ${this.#kinds[0]?.name}`, others, response))
    );
  }
}

/** JSON has no `done: undefined`, which is a result that the reference does not know. */
const kindOf = (outcome: Outcome): string => Object.keys(outcome)[0] ?? 'done';
const meanwhileBlog = ({ meanwhile }: Import): string =>
  (meanwhile as { readonly blog?: string } | undefined)?.blog ?? '';

/** As JSON can hold it. */
const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value));

/** A part with a changed post; no id is in it twice. */
function withChange({ posts = [], ...part }: Part, index: number, changes: { readonly id?: string }): Part {
  const others = posts.filter(({ id }, at) => at === index || id !== changes.id);
  return { ...part, posts: others.map((post) => (post === posts[index] ? { ...post, ...changes } : post)) };
}

/** The first value below two objects that differs, of those that the first one has. */
function difference(who: string, expected: unknown, actual: unknown, path = ''): string | undefined {
  if (isDeepStrictEqual(expected, actual)) return undefined;
  if (isRecord(expected) && isRecord(actual)) {
    for (const [name, value] of Object.entries(expected)) {
      const inner = difference(who, value, actual[name], `${path}.${name}`);
      if (inner !== undefined) return inner;
    }
    // Fields that only the second object has are not compared at the top level, where the reference knows less.
    const more = Object.keys(actual).filter((name) => !(name in expected));
    return path.split('.').length <= 3 || more.length === 0 ? undefined : `${who} differ in ${path}: more ${more}`;
  }
  const shown = (value: unknown) => inspect(value, { depth: 6, breakLength: 120, maxStringLength: 300 });
  return `${who} differ in ${path.slice(1)}: expected ${shown(expected)}, received ${shown(actual)}`;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
