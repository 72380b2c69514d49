import { Call } from '../calls/call.ts';
import { inputError, mustBe } from '../check-options.ts';
import type { SafeResult, WithMeta } from '../response/incoming.ts';
import type { Settings } from '../settings.ts';
import { type ListTask, Page, type Position, positionAfter, readCursor, readPage, taskAt } from './page.ts';

/**
 * A list of the API as a value. Unlike a call, which is sent at once, a list sends its first request when it is first
 * read: awaited (its first page), iterated (its items, across all pages), or read in another form. To start early and
 * await later, take its first page with `.safe()`. All three styles of pagination look the same.
 *
 * @example
 * ```ts
 * const page = await blog.posts.list({ limit: 20 });
 * for await (const post of blog.posts.list()) console.log(post.title);
 * for await (const page of blog.categories.posts(id).prefetch(2).pages()) render(page.items);
 * const latest: List<Post> = blog.posts.list({ limit: 3 });
 * const titles = (await latest.take(3)).map(({ title }) => title);
 * ```
 */
export class List<T extends { id: string }, Code extends string = string>
  implements Promise<Page<T>>, AsyncIterable<T>
{
  readonly [Symbol.toStringTag] = 'List';
  readonly #settings: Settings;
  readonly #task: ListTask;
  readonly #start: Position;
  readonly #ahead: number;
  #first: Call<Page<T>, Code> | undefined;

  /** @internal */
  constructor(settings: Settings, task: ListTask, start = positionAfter(task), ahead = 0) {
    this.#settings = settings;
    this.#task = task;
    this.#start = start;
    this.#ahead = ahead;
  }

  // biome-ignore lint/suspicious/noThenProperty: awaiting a list gives its first page
  then<A = Page<T>, B = never>(
    resolved?: ((page: Page<T>) => A | PromiseLike<A>) | null,
    rejected?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#call().then(resolved, rejected);
  }

  catch<B = never>(rejected?: ((error: unknown) => B | PromiseLike<B>) | null): Promise<Page<T> | B> {
    return this.then(undefined, rejected);
  }

  finally(done?: (() => void) | null): Promise<Page<T>> {
    return this.then().finally(done);
  }

  /** The first page without a throw; `error.code` is one of the codes of this endpoint. */
  safe(): Promise<SafeResult<Page<T>, Code>> {
    return this.#call().safe();
  }

  /** The first page with the request id, status, headers and attempts of its response. */
  withMeta(): Promise<WithMeta<Page<T>>> {
    return this.#call().withMeta();
  }

  /** The same list with up to `count` pages requested before they are needed, in parallel where possible. */
  prefetch(count = 1): List<T, Code> {
    this.#check('prefetch', count);
    return new List(this.#settings, this.#task, this.#start, count);
  }

  /** The same list from a {@link Page.cursor} on, with the page size of that cursor. */
  resume(cursor: string): List<T, Code> {
    return new List(this.#settings, this.#task, readCursor(this.#task, cursor), this.#ahead);
  }

  /** The first `count` items. It reads only the pages that it needs. */
  async take(count: number): Promise<T[]> {
    this.#check('take', count);
    const items: T[] = [];
    if (count === 0) return items;
    for await (const item of this) if (items.push(item) === count) break;
    return items;
  }

  /**
   * Every item.
   *
   * @param options - `max`: throws `LIST_TOO_LONG` if there are more, so that a long list does not fill the memory. Default 10 000.
   */
  async collect(options: { readonly max?: number | undefined } = {}): Promise<T[]> {
    const { id } = this.#task;
    if (typeof options !== 'object') throw inputError(id, mustBe('the argument of collect()', '{ max }', options));
    const { max = 10_000 } = options;
    if (max !== Number.POSITIVE_INFINITY) this.#check('collect', max);
    const items: T[] = [];
    for await (const item of this) {
      if (items.length >= max)
        throw inputError(id, `more than ${max} items: iterate, or raise collect({ max })`, 'LIST_TOO_LONG');
      items.push(item);
    }
    return items;
  }

  /** Every item. Pages are read as the loop needs them. Leaving the loop aborts the requests in flight. */
  [Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    const leave = new AbortController();
    return leaving(this.#items(leave), leave);
  }

  /**
   * Every page. Items that an earlier page already had, because new ones were published in the meantime, are omitted
   * and counted. Leaving the loop aborts the requests in flight.
   */
  pages(): AsyncGenerator<Page<T>, void, undefined> {
    const leave = new AbortController();
    return leaving(this.#pages(leave), leave);
  }

  async *#items(leave: AbortController): AsyncGenerator<T, void, undefined> {
    for await (const page of this.#pages(leave)) yield* page.items;
  }

  async *#pages(leave: AbortController): AsyncGenerator<Page<T>, void, undefined> {
    const inFlight: Call<Page<T>>[] = [];
    let upcoming = this.#start;
    const request = (): Call<Page<T>> => {
      const call = this.#request(upcoming, leave.signal);
      upcoming = positionAfter(this.#task, upcoming);
      return call;
    };
    const seen = new Set<string>();
    const repeated = new Set<string | undefined>();
    try {
      for (;;) {
        const page = await (inFlight.shift() ?? request());
        const items = page.items.filter(({ id }) => id === undefined || (!seen.has(id) && seen.add(id)));
        // If new posts have moved the items, none of the items on this page may be new. If pages without new items begin
        // to repeat, the server ignores the position, and the list would never end.
        const top = items[0]?.id === undefined ? (page.items[0]?.id ?? JSON.stringify(page.items[0])) : undefined;
        const hasNext = page.hasNext && !repeated.has(top);
        if (top !== undefined) repeated.add(top);
        const last = page.meta.pagination?.totalPages ?? Number.POSITIVE_INFINITY;
        while (hasNext && inFlight.length < this.#ahead && upcoming.at <= last) inFlight.push(request());
        const cursor = hasNext ? page.cursor : undefined;
        const duplicates = page.items.length - items.length;
        yield new Page({ ...page, items, hasNext, cursor, duplicates }, page.next);
        if (!hasNext) return;
      }
    } catch (error) {
      if (!leave.signal.aborted) throw error;
    } finally {
      leave.abort();
    }
  }

  #call(): Call<Page<T>, Code> {
    // After a failure the list may be awaited again.
    if (!this.#first || this.#first.hasFailed) this.#first = this.#request(this.#start);
    return this.#first;
  }

  /** Requests the page at a position. */
  #request(position: Position, signal?: AbortSignal): Call<Page<T>, Code> {
    const task = this.#task;
    const follow = (): Call<Page<T>> => this.#request(positionAfter(task, position));
    return new Call(this.#settings, taskAt(task, position, signal), (outcome) =>
      readPage<T>(task, position, outcome, follow),
    );
  }

  #check(verb: string, count: number): void {
    const { id } = this.#task;
    if (!Number.isSafeInteger(count) || count < 0)
      throw inputError(id, mustBe(`${verb}()`, 'given a whole number of 0 or more', count));
  }
}

/** A generator that is left at once. Its own `return` would wait for the page on its way. */
function leaving<G extends AsyncGenerator>(generator: G, leave: AbortController): G {
  const { return: end, throw: fail } = generator;
  return Object.assign(generator, {
    return(value: unknown) {
      leave.abort();
      return end.call(generator, value);
    },
    throw(error: unknown) {
      leave.abort();
      return fail.call(generator, error);
    },
  });
}
