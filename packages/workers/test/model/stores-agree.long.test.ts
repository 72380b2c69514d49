import { test } from 'vitest';
import { findDisagreement } from './search.ts';
import { allKinds } from './stores.ts';

const MINUTES = 2;

const kinds = allKinds();

test(`all stores agree after ${MINUTES} minutes of random commands`, async () => {
  // In CI, the seed is always the same, so that no change is blocked by an older fault.
  const seed = process.env['CI'] ? 1 : Math.floor(Math.random() * 1_000_000_000);
  console.log(`The first seed is ${seed}`);
  const end = performance.now() + MINUTES * 60_000;
  await findDisagreement(kinds, { seed, length: 40, more: () => performance.now() < end });
});
