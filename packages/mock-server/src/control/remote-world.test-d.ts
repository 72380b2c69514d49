import { expectTypeOf, test } from 'vitest';
import type { AdCounts } from '../worlds/world.ts';
import type { RemoteWorld } from './remote-world.ts';

declare const remote: RemoteWorld;

test('a remote world has the types of a local one, with promises', async () => {
  await remote.reset();
  const fault = await remote.fail('ads.click', 400, { code: 'CLICK_TOKEN_EXPIRED', times: 1 });
  expectTypeOf(fault.hits).toEqualTypeOf<Promise<number>>();
  expectTypeOf(fault.lift()).toEqualTypeOf<Promise<void>>();
  expectTypeOf(remote.ad('x')).toEqualTypeOf<Promise<AdCounts>>();
  expectTypeOf((await remote.calls).search[0]?.query.q).toEqualTypeOf<string | undefined>();
  const gate = await remote.hold('search', { times: 1 });
  expectTypeOf(gate.arrived(2)).toEqualTypeOf<Promise<void>>();
  expectTypeOf(remote.preview('x')).toEqualTypeOf<Promise<string>>();
  // @ts-expect-error a list is never missing
  await remote.fail('posts.list', 404);
  // @ts-expect-error only clicks have this code
  await remote.fail('posts.list', 400, { code: 'CLICK_TOKEN_EXPIRED' });
  // @ts-expect-error there is no such method
  await remote.explode();
  // @ts-expect-error it takes a duration
  await remote.clock.advance('10 minutes');
  // @ts-expect-error hold requires a target
  await remote.hold();
});
