import pg from 'pg';

/** Runs one statement on a new connection. */
export async function queryPostgres(url: string, statement: string): Promise<readonly unknown[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
