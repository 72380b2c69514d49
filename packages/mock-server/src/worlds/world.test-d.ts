import { expectTypeOf, test } from 'vitest';
import type { World } from './world.ts';

declare const world: World;

test('a fault compiles only with the statuses of its endpoint', () => {
  world.fail('posts.get', 404);
  world.fail('ads.click', 409, { after: true });
  world.fail('ads.click', 400, { code: 'CLICK_TOKEN_EXPIRED' });
  world.fail('*', 503);
  // @ts-expect-error a list is never missing
  world.fail('tags.list', 404);
  // @ts-expect-error only clicks conflict
  world.fail('posts.get', 409);
  // @ts-expect-error not every endpoint has a 404
  world.fail('*', 404);
  // @ts-expect-error the code has another status
  world.fail('ads.click', 409, { code: 'CLICK_TOKEN_EXPIRED' });
  // @ts-expect-error there is no such endpoint
  world.fail('posts.remove', 500);
  world.fail('posts.list', 'cut', { after: true });
  world.fail('posts.get', [404, 'reset', 200], { id: 'post-1' });
  // @ts-expect-error there is no such transport fault
  world.fail('posts.get', 'explode');
  // @ts-expect-error a list is never missing
  world.fail('tags.list', [200, 404]);
  // @ts-expect-error 200 is not a failure
  world.fail('tags.list', 200);
  // @ts-expect-error a transport fault has no code
  world.fail('ads.click', 'cut', { code: 'CLICK_TOKEN_EXPIRED' });
});

test('calls carry the types of their endpoint', () => {
  expectTypeOf(world.calls.search[0]?.query).toEqualTypeOf<{ q: string; limit: number; offset: number } | undefined>();
  expectTypeOf(world.calls['ads.click'][0]?.body).toEqualTypeOf<{ clickToken: string } | undefined>();
  expectTypeOf(world.calls['posts.get'][0]?.params).toEqualTypeOf<{ id: string } | undefined>();
  // @ts-expect-error there is no such query parameter
  world.calls.search[0]?.query.page;
});

test('durations are numbers with a unit', () => {
  world.clock.advance('10m');
  // @ts-expect-error no unit
  world.clock.advance('10');
  // @ts-expect-error no such unit
  world.clock.advance('10 minutes');
});
