import { type Kysely, sql } from 'kysely';
import { randomText } from './blogs/api-key.ts';
import type { Tables } from './tables.ts';

const NAME = 'signing';

/** The secret of everybody who shares the database; the first call makes it. */
export async function readSecret(db: Kysely<Tables>): Promise<string> {
  await sql`insert into secrets (name, value) values (${NAME}, ${randomText()}) on conflict do nothing`.execute(db);
  const row = await db.selectFrom('secrets').select('value').where('name', '=', NAME).executeTakeFirstOrThrow();
  return row.value;
}
