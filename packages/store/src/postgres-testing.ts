import { randomUUID } from 'node:crypto';
import pg from 'pg';

/** Creates an empty database in the PostgreSQL of the tests and gives its URL; it goes with that PostgreSQL. */
export async function createDatabase(socketDirectory: string | undefined): Promise<string> {
  if (socketDirectory === undefined) throw new Error('there is no PostgreSQL: skip this test');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const client = new pg.Client({ host: socketDirectory, user: 'postgres', database: 'postgres' });
  await client.connect();
  try {
    await client.query(`create database ${name} template template0`);
  } finally {
    await client.end();
  }
  return `postgres://postgres@/${name}?host=${encodeURIComponent(socketDirectory)}`;
}

/** Runs one statement on a connection of its own. */
export async function queryPostgres(url: string, statement: string): Promise<readonly unknown[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
