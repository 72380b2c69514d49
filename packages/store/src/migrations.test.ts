import { expect, test } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import { MIGRATIONS, type Migration, migrate } from './migrations.ts';
import { openDatabase } from './open-database.ts';
import { openStore } from './open-store.ts';
import { POSTGRES_SCHEMA } from './postgres/dialect.ts';
import { SQLITE_SCHEMA } from './sqlite/dialect.ts';

/** A fictitious version of a later Broadsheet. */
const later: Migration = ({ text }) => [
  `alter table blogs add column motto ${text} not null default 'none'`,
  'create index blogs_by_motto on blogs (motto)',
];
const broken: Migration = (dialect) => [...later(dialect), 'alter table nowhere add column motto integer'];

describeDatabases('a database of the first schema version', (database) => {
  const schema = database.kind === 'PostgreSQL' ? POSTGRES_SCHEMA : SQLITE_SCHEMA;

  test('is unchanged when a later version fails, and is migrated only once', async () => {
    const store = await openStore(database.url);
    await store.putBlog({ id: 'b', name: 'B', posts: [{ id: 'p', title: 'A title', slug: 's' }] }, 0);
    await store.close();

    const open = await openDatabase(database.url);
    const bringTo = (...versions: Migration[]) =>
      open.transact((transaction) => migrate(transaction, schema, [...MIGRATIONS, ...versions]));
    const version = async () => (await open.reader<{ version: number }>`select * from schema_version`)[0]?.version;
    const blogs = () => open.reader`select * from blogs`;

    await expect(bringTo(broken)).rejects.toThrow('nowhere');
    expect(await version()).toBe(MIGRATIONS.length + 1);
    expect((await blogs())[0]).not.toHaveProperty('motto');

    await bringTo(later);
    await bringTo(later);
    expect(await version()).toBe(MIGRATIONS.length + 2);
    expect(await blogs()).toMatchObject([{ blog_id: 'b', motto: 'none' }]);
    expect(await open.reader`select title from posts`).toEqual([{ title: 'A title' }]);
    await open.close();
  });
});
