import { expectTypeOf, test } from 'vitest';
import type { AdCounts } from '../worlds/world.ts';
import type { RemoteWorld } from './remote-world.ts';

declare const remote: RemoteWorld;

test('remote commands have the types of a local world', async () => {
  await remote.send('reset');
  await remote.send('fail', { target: 'ads.click', status: 400, code: 'CLICK_TOKEN_EXPIRED', times: 1 });
  expectTypeOf(await remote.send('ad', { id: 'x' })).toEqualTypeOf<AdCounts>();
  // @ts-expect-error a list is never missing
  await remote.send('fail', { target: 'posts.list', status: 404 });
  // @ts-expect-error only clicks have this code
  await remote.send('fail', { target: 'posts.list', status: 400, code: 'CLICK_TOKEN_EXPIRED' });
  // @ts-expect-error there is no such command
  await remote.send('explode');
  // @ts-expect-error it takes a duration
  await remote.send('advance', { by: '10 minutes' });
  // @ts-expect-error hold requires a target
  await remote.send('hold');
});
