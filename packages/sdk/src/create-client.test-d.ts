import type * as contract from '@broadsheet/contract';
import { expectTypeOf, test } from 'vitest';
import {
  type AdDeliverySlotResult,
  type AdSlot,
  type AdTrackingResult,
  type Blog,
  type BroadsheetError,
  type Call,
  type ClickOptions,
  type ClientOptions,
  type CodeOf,
  createClient,
  type FieldError,
  type MemoryCacheOptions,
  NotFoundError,
  type OffsetOptions,
  type Page,
  type PagedOptions,
  type Placement,
  type Post,
  type SlotDelivery,
} from './index.ts';

declare const blog: Blog;

test('the ads of a client are a transport for the widget', () => {
  interface AdPort {
    deliverBatch(
      slots: readonly contract.AdSlot[],
      options: { idempotencyKey: string; retry: 0; timeout: number },
    ): Promise<readonly contract.AdDeliverySlotResult[]>;
    acceptsKeys(): Promise<boolean>;
    click(token: string, how: { keepalive: boolean }): Promise<unknown>;
  }
  expectTypeOf(blog.ads).toExtend<AdPort>();
  const slots: AdSlot[] = [];
  expectTypeOf(blog.ads.deliverBatch(slots)).resolves.toEqualTypeOf<SlotDelivery[]>();
  expectTypeOf<SlotDelivery>().toExtend<AdDeliverySlotResult>();
  expectTypeOf(blog.ads.click('token')).resolves.toEqualTypeOf<AdTrackingResult>();
});

test('a placement and its click are calls, like everything else', () => {
  expectTypeOf(blog.ads.place([])).toEqualTypeOf<Call<Placement[], CodeOf<'ads.deliverBatch'>>>();
  expectTypeOf<Placement['click']>().returns.toEqualTypeOf<Call<AdTrackingResult, CodeOf<'ads.click'>>>();
});

test('an option that may be missing may be undefined', () => {
  const limit = undefined as number | undefined;
  const retry = { limit, baseDelay: limit, sleep: undefined };
  const shared = {
    timeout: limit,
    retry,
    headers: undefined,
    fetch: undefined,
    validate: undefined,
    onEvent: undefined,
  };
  expectTypeOf({ ...shared, limit, offset: limit }).toExtend<OffsetOptions>();
  expectTypeOf({ ...shared, page: limit, pageSize: limit }).toExtend<PagedOptions>();
  expectTypeOf({ ...shared, dedupe: undefined, cache: undefined, browser: undefined }).toExtend<ClientOptions>();
  expectTypeOf({ ...shared, visitor: undefined, keepalive: undefined }).toExtend<ClickOptions>();
  expectTypeOf({ fresh: limit, now: undefined }).toExtend<MemoryCacheOptions>();
});

test('`ok` narrows a result', async () => {
  const { ok, data, error } = await blog.posts.get('1').safe();
  if (ok) expectTypeOf(data).toEqualTypeOf<Post>();
  else expectTypeOf(error.code).toExtend<string>();
  expectTypeOf(await blog.posts.list()).toEqualTypeOf<Page<Post>>();
});

test('a result has the codes of its endpoint, and a misspelt code does not compile', async () => {
  const { ok, error } = await blog.posts.get('1').safe();
  if (ok) return;
  expectTypeOf(error.code).toEqualTypeOf<CodeOf<'posts.get'>>();
  expectTypeOf<string>().not.toExtend<typeof error.code>();
  switch (error.code) {
    case 'NOT_FOUND':
    case 'TIMEOUT':
    case 'HTTP_502':
      return;
    // @ts-expect-error misspelt
    case 'NOT_FUOND':
      return;
    // @ts-expect-error a code of clicks
    case 'CLICK_TOKEN_USED':
      return;
    default:
      if (error instanceof NotFoundError) expectTypeOf(error.fields).toEqualTypeOf<readonly FieldError[] | undefined>();
      expectTypeOf(error.message).toEqualTypeOf<string>();
  }
  const posts = await blog.posts.list().safe();
  if (!posts.ok) expectTypeOf(posts.error.code).toEqualTypeOf<CodeOf<'posts.list'>>();
});

test('the codes of an error that was thrown are open: a newer server may send others', () => {
  expectTypeOf<'A_CODE_OF_NEXT_YEAR'>().toExtend<BroadsheetError['code']>();
});

test('an unknown future state is accepted by the types, as it is at run time', async () => {
  const { status } = await blog.posts.get('1');
  expectTypeOf<'ARCHIVED'>().toExtend<typeof status>();
});

test('what must not compile', () => {
  // @ts-expect-error an id is a string
  blog.posts.get(1);
  // @ts-expect-error not a format
  blog.ads.deliver('HUGE');
  // @ts-expect-error deliver() is for one format, deliverBatch() for slots
  blog.ads.deliver([{ slotId: 'top', format: 'BANNER' }]);
  // @ts-expect-error each result carries what the widget needs of its response
  blog.ads.headers;
  // @ts-expect-error a list by limit has no pages by number
  blog.posts.list({ page: 1 });
  // @ts-expect-error a list in pages has no limit
  blog.tags.posts('t', { limit: 1 });
  // @ts-expect-error not a mode
  createClient({ validate: 'loud' });
  // @ts-expect-error the redirect mode protects the key
  createClient({ fetchOptions: { redirect: 'follow' } });
});
