import type { Kysely } from 'kysely';
import { randomText } from './blogs/api-key.ts';
import type { Tables } from './tables.ts';

const NAME = 'signing';

/** The secret of everybody who shares the database; the first call makes it. */
export async function readSecret(db: Kysely<Tables>): Promise<string> {
  const value = randomText();
  await db
    .insertInto('secrets')
    .values({ name: NAME, value })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = await db.selectFrom('secrets').select('value').where('name', '=', NAME).executeTakeFirstOrThrow();
  return row.value;
}
