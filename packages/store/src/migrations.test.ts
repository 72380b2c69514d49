import { DatabaseSync } from 'node:sqlite';
import { decoded } from '@broadsheet/core';
import { describe, expect, inject, test } from 'vitest';
import { createPostgres } from '../../../tools/testing/databases.ts';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { queryPostgres } from '../../../tools/testing/query-postgres.ts';
import { openStore } from '../test/open-store.ts';

/** What takes search back to version 1, where it went by trigrams of posts, and no changes were reported. */
const searchToVersion1 = {
  sqlite: [
    'drop table word_search',
    'drop table post_search',
    "create virtual table post_search using fts5 (title, subtitle, content = '', contentless_delete = 1)",
  ],
  postgres: ['alter table posts drop column words', 'drop function broadsheet_notify cascade'],
};

/** What takes a database back to version 1, where a post stood in columns. */
const toVersion1 = (part: (name: string) => string) => [
  ...['people', 'invitations', 'panel_sessions', 'panel_log', 'placements', 'placement_counts'].map(
    (table) => `drop table ${table}`,
  ),
  'drop index posts_due',
  'drop table words',
  ...['content', 'categories', 'tags'].flatMap((name) => [
    `alter table posts add column ${name} text not null default ''`,
    `update posts set ${name} = ${part(name)}`,
  ]),
  'alter table posts drop column shown',
  'update schema_version set version = 1',
];

const blog = {
  id: 'b',
  name: 'B',
  categories: [{ id: 'c', name: 'É', description: '"quoted" \\' }],
  tags: [{ id: 't', name: 'T' }],
  posts: [
    {
      id: 'p',
      title: 'Old words',
      slug: 's',
      content: '<p>"It\'s" \\ \u0001\t 😀 é</p>\n',
      categoryIds: ['c'],
      tagIds: ['t'],
    },
    { id: 'd', title: 'D', slug: 'd', status: 'DRAFT' as const, scheduledAt: '2030-01-01T00:00:00.000Z' },
  ],
};

async function staysTheSame(
  url: string,
  run: (statement: string) => unknown,
  part: (name: string) => string,
  undo: readonly string[],
) {
  const seen = async () => {
    const store = await openStore(url);
    const page = { offset: 0, limit: 9 };
    const found = [
      decoded(await store.listPosts({ id: 'b', revision: '1' }, page)),
      await store.exportBlog('b'),
      (await store.searchPosts('b', ['old', 'words'], page)).map(({ id }) => id),
    ];
    await store.close();
    return found;
  };
  const store = await openStore(url);
  await store.putBlog(blog, 0);
  await store.close();
  const before = await seen();
  expect(before[2]).toEqual(['p']);
  for (const statement of [...undo, ...toVersion1(part)]) await run(statement);
  expect(await seen()).toEqual(before);
}

describe('posts of version 1 are the same in this one', () => {
  test('SQLite', async () => {
    const path = temporaryFolder().join('b.db');
    const run = (statement: string) => {
      const connection = new DatabaseSync(path);
      connection.exec(statement);
      connection.close();
    };
    await staysTheSame(`sqlite:${path}`, run, (name) => `shown ->> '${name}'`, searchToVersion1.sqlite);
  });

  const postgres = inject('postgres');
  test.skipIf(!postgres)('PostgreSQL', async () => {
    const url = await createPostgres();
    await staysTheSame(
      url,
      (statement) => queryPostgres(url, statement),
      (name) => `shown::json ->> '${name}'`,
      searchToVersion1.postgres,
    );
  });
});
