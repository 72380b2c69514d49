import { test } from 'vitest';
import { findDisagreement } from './search.ts';
import { allKinds } from './stores.ts';

const MINUTES = 5;

const kinds = allKinds();

test(`all stores agree after any commands of ${MINUTES} minutes`, async () => {
  const seed = Math.floor(Math.random() * 1_000_000_000);
  console.log(`The first seed is ${seed}`);
  const end = performance.now() + MINUTES * 60_000;
  await findDisagreement(kinds, { seed, length: 40, more: () => performance.now() < end });
});
