import type { Outcome } from '../answer/incoming.ts';
import { Call, type SafeResult, type WithMeta } from '../calls/call.ts';
import { refuse } from '../check-options.ts';
import { type ListSource, type Position, readCursor, type Slice } from './list-source.ts';
import { Page } from './page.ts';

/**
 * A list of the API as a value. No request is sent until it is awaited (its first page), iterated (its items, across all
 * pages), or read in another form. All three styles of pagination look the same.
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
  readonly #source: ListSource<T>;
  readonly #start: Position;
  readonly #ahead: number;
  #first: Call<Page<T>, Code> | undefined;

  /** @internal */
  constructor(source: ListSource<T>, start: Position = source.start, ahead = 0) {
    this.#source = source;
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
    return this.#call().catch(rejected);
  }

  finally(done?: (() => void) | null): Promise<Page<T>> {
    return this.#call().finally(done);
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
    return new List(this.#source, this.#start, count);
  }

  /** The same list from a {@link Page.cursor} on, with the page size of that cursor. */
  resume(cursor: string): List<T, Code> {
    return new List(this.#source, readCursor(this.#source, cursor), this.#ahead);
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
  async collect({ max = 10_000 }: { readonly max?: number | undefined } = {}): Promise<T[]> {
    const { id } = this.#source;
    const items: T[] = [];
    for await (const item of this) {
      if (items.length >= max)
        throw refuse(id, `${id}: more than ${max} items: iterate, or raise collect({ max }).`, 'LIST_TOO_LONG');
      items.push(item);
    }
    return items;
  }

  /** Every item. Pages are read as the loop needs them. Leaving the loop aborts the requests in flight. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const page of this.pages()) yield* page.items;
  }

  /**
   * Every page. Items that an earlier page already had, because new ones were published meanwhile, are omitted and counted.
   * Leaving the loop aborts the requests in flight.
   */
  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    const leave = new AbortController();
    const inFlight: { readonly position: Position; readonly outcome: Promise<Outcome> }[] = [];
    let upcoming = this.#start;
    const request = (): void => {
      const position = upcoming;
      upcoming = this.#source.next(position);
      const outcome = this.#source.request(position, leave.signal);
      outcome.catch(() => {}); // thrown when the loop reaches this page
      inFlight.push({ position, outcome });
    };
    const seen = new Set<string>();
    let before: unknown;
    try {
      for (;;) {
        if (inFlight.length === 0) request();
        const next = inFlight.shift();
        if (!next) return;
        const { position } = next;
        const got = this.#source.read(await next.outcome, position);
        const fresh = got.items.filter(({ id }) => id === undefined || (!seen.has(id) && seen.add(id)));
        // Newer posts may have moved items to this page, so that none of them is new. The same page twice comes from a
        // server that ignores the position: such a list would never end.
        const top = fresh[0] ?? got.items[0]?.id ?? got;
        const more = got.hasNext && top !== before;
        before = top;
        const last = got.meta.pagination?.totalPages ?? Number.POSITIVE_INFINITY;
        while (more && inFlight.length < this.#ahead && upcoming.at <= last) request();
        yield this.#build(position, { ...got, items: fresh, hasNext: more }, got.items.length - fresh.length);
        if (!more) return;
      }
    } finally {
      leave.abort();
    }
  }

  #call(): Call<Page<T>, Code> {
    this.#first ??= new Call<Page<T>, Code>(async () => {
      try {
        const outcome = await this.#source.request(this.#start);
        return { data: this.#page(outcome, this.#start), info: outcome.info };
      } catch (error) {
        this.#first = undefined; // so that the list can be awaited again
        throw error;
      }
    });
    return this.#first;
  }

  #page(outcome: Outcome, position: Position): Page<T> {
    return this.#build(position, this.#source.read(outcome, position), 0);
  }

  #build(position: Position, { items, hasNext, meta }: Slice<T>, duplicates: number): Page<T> {
    const next = this.#source.next(position);
    const cursor = hasNext ? JSON.stringify([this.#source.name, next.at, next.size]) : undefined;
    const follow = async (): Promise<Page<T>> => this.#page(await this.#source.request(next), next);
    return new Page({ items, hasNext, cursor, duplicates, meta }, follow);
  }

  #check(verb: string, count: number): void {
    const { id } = this.#source;
    if (!Number.isSafeInteger(count) || count < 0)
      throw refuse(id, `${id}: ${verb}(${count}) needs a whole number from 0 on.`);
  }
}
