import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createPostgres } from '../../../../tools/testing/databases.ts';
import { temporaryFolder } from '../../../../tools/testing/folder.ts';
import { betweenPostgres } from '../../../../tools/testing/postgres-proxy.ts';
import { queryPostgres } from '../../../../tools/testing/query-postgres.ts';
import { TEST_BLOG } from '../../../http/test/memory-server-store.ts';
import { command } from '../../test/command.ts';

const folder = temporaryFolder();
let cwd: string;
const taken = createServer();
beforeAll(async () => {
  cwd = folder.path;
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  await writeFile(join(cwd, 'good.json'), JSON.stringify({ blogs: [TEST_BLOG] }));
  await writeFile(join(cwd, 'broken.json'), '{ "blogs": [');
  const post = { id: 'p', title: 7, slug: '' };
  await writeFile(join(cwd, 'wrong.json'), JSON.stringify({ blogs: [{ id: 'b', name: 'B', posts: [post] }] }));
  await writeFile(join(cwd, 'constructor'), '{}');
  await writeFile(join(cwd, 'nothing.json'), '{ "blogs": [] }');
  const thief = { id: 'thief', name: 'T', apiKeys: TEST_BLOG.apiKeys };
  await writeFile(join(cwd, 'thief.json'), JSON.stringify({ blogs: [thief] }));
  const posts = [{ id: 'new', title: 'N', slug: TEST_BLOG.posts?.[0]?.slug }];
  await writeFile(join(cwd, 'slug.json'), JSON.stringify({ blogs: [{ id: 'news', name: 'News', posts }] }));
  await mkdir(join(cwd, 'tea'));
  await writeFile(join(cwd, 'tea', 'tea.md'), '---\ntitle: Tea\n---\nHot.\n');
  await writeFile(join(cwd, 'text.db'), 'this is not a database, however long it gets'.repeat(100));
  const other = new DatabaseSync(join(cwd, 'other.db'));
  other.exec('create table notes (text)');
  other.close();
  const made = await command(['import', 'good.json', '--database', 'sqlite:good.db'], { cwd });
  expect(made).toMatchObject({ code: 0 });
});
afterAll(() => void taken.close());

/** A port that another program uses. */
const busyPort = () => String((taken.address() as { port: number }).port);

it.each([
  ['--blog', ['tokens', 'create', 'ci', '--scope', 'all', '--blog', '']],
  ['--expires', ['tokens', 'create', 'ci', '--scope', 'all', '--expires', '']],
  ['--blog', ['panel', 'invite', 'Ada', '--blog', '']],
  ['--at', ['posts', 'publish', 'news', 'p1', '--at', '']],
  ['zone', ['blogs', 'time-zone', 'news', '']],
])('an empty %s, such as one from an unset variable, is not the same as none', async (name, args) => {
  const { code, stderr } = await command([...args, '--database', 'sqlite:good.db'], { cwd });
  expect([code, stderr]).toEqual([2, expect.stringContaining(`broadsheet: ${name}: `)]);
});

it('an empty --blog does not select every blog', async () => {
  const move = ['media', 'move', 'http://old.example', 'http://new.example', '--blog', ''];
  const { code, stderr } = await command([...move, '--database', 'sqlite:good.db'], { cwd });
  expect([code, stderr]).toEqual([2, 'broadsheet: There is no blog ""; there is news.\n']);
});

it('an empty --logo removes the logo', async () => {
  const publisher = (...args: string[]) =>
    command(['blogs', 'publisher', 'news', ...args, '--json', '--database', 'sqlite:good.db'], { cwd });
  await publisher('--logo', 'https://news.example/logo.png', '--contact', 'ads@news.example');
  expect(JSON.parse((await publisher('--logo', '')).stdout)).toEqual({ contact: 'ads@news.example' });
});

describe('text that others wrote', () => {
  const evil = '\u001b]0;owned\u0007\u009b2J\u202e';

  it.each([
    ['a file', ['import', `${evil}.json`]],
    ['a command', [`server${evil}`]],
    ['a flag', ['serve', `--p${evil}`]],
    ['a blog', ['stats', evil, '--database', 'sqlite:good.db']],
  ])('the name of %s cannot control the terminal', async (_, args) => {
    const { code, stderr } = await command(args, { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain('\\u001b]0;owned\\u0007\\u009b2J\\u202e');
    expect(stderr).not.toMatch(/[^\P{C}\n]/u);
  });

  it('a note cannot control the terminal', async () => {
    const post = (title: string) => `---\ntitle: "${title}"\ndate: 2099-01-01\n---\nText.\n`;
    await mkdir(join(cwd, 'evil'));
    await writeFile(join(cwd, 'evil', `${evil}.md`), post('Evil'));
    const { code, stderr, stdout } = await command(
      ['import', 'evil', '--blog', 'evil', '--database', 'sqlite:evil.db'],
      { cwd },
    );
    expect(code).toBe(0);
    expect(stderr).toContain('\\u001b]0;owned');
    expect(stderr + stdout).not.toMatch(/[^\P{C}\n]/u);
  });
});

describe('a bad command', () => {
  it.each([
    ['an unknown command', ['server'], /unknown command 'server'/],
    [
      'a campaign that ends before it starts',
      [
        'campaigns',
        'add',
        'news',
        '--sponsor',
        'S',
        '--name',
        'N',
        '--from',
        '2099-02-01',
        '--to',
        '2099-01-01',
        '--database',
        'sqlite:good.db',
      ],
      /^broadsheet: --to: 2099-01-01 is not after the start/,
    ],
    [
      'a campaign with an invalid goal',
      [
        'campaigns',
        'add',
        'news',
        '--sponsor',
        'S',
        '--name',
        'N',
        '--goal-impressions',
        'x',
        '--database',
        'sqlite:good.db',
      ],
      /^broadsheet: --goal-impressions: expected a whole number/,
    ],
    [
      'a page whose length is not a number',
      ['posts', 'list', 'news', '--limit', 'ten', '--database', 'sqlite:good.db'],
      /^broadsheet: --limit: expected a number, received "ten"/,
    ],
    [
      'an ad with an invalid start',
      ['ads', 'add', 'news', '--format', 'BANNER', '--title', 'T', '--starts', 'soon', '--database', 'sqlite:good.db'],
      /^broadsheet: --starts: expected a date such as/,
    ],
    ['an unknown flag', ['serve', '--prot', '1'], /unknown option '--prot'/],
    ['a missing argument', ['stats'], /missing required argument 'blog'/],
    ['an invalid port', ['serve', '--port', '70000'], /--port: must be at most 65535/],
    [
      'a database of another kind',
      ['serve', '--database', 'mysql://x'],
      /--database: expected sqlite:PATH or postgres/,
    ],
    [
      'a host that is not here',
      ['serve', '--port', '4999', '--host', '203.0.113.1'],
      /--host: 203.0.113.1 is not an address/,
    ],
    [
      'an operations address that is not here',
      ['serve', '--port', '0', '--ops-port', '4998', '--ops-host', '203.0.113.1'],
      /--ops-host: 203.0.113.1 is not an address/,
    ],
    ['a port that is empty', ['serve', '--port', '0', '--ops-port', ''], /--ops-port: expected a whole number/],
    ['an operations address without a port', ['serve', '--ops-host', '127.0.0.1'], /--ops-host requires --ops-port/],
    [
      'a folder for images that is a file',
      ['export', 'news', '--media', 'good.json', '--database', 'sqlite:good.db'],
      /^broadsheet: --media: the folder cannot be created: EEXIST/,
    ],
    ['a missing import', ['serve', '--port', '0', '--import', 'nope.json'], /nope.json/],
    ['a missing file', ['import', 'nope.json'], /nope.json/],
    ['an empty snapshot', ['import', 'nothing.json'], /nothing.json: contains nothing to import/],
    ['a file with the name of a property', ['import', 'constructor'], /broadsheet: constructor: is neither/],
    [
      '--root with a snapshot',
      ['import', 'good.json', '--root', '.'],
      /good\.json: is a snapshot; root \(--root\) applies to/,
    ],
    ['--html with a snapshot', ['import', 'good.json', '--html'], /\(--html\) applies to a folder of Markdown/],
    ['--media with a folder', ['import', 'tea', '--media', '.'], /tea: .* \(--media\) applies to a snapshot/],
    ['a broken snapshot', ['import', 'broken.json'], /broken.json/],
    ['a missing database', ['stats', 'news', '--database', 'sqlite:nope.db'], /no database at nope.db/],
    ['a file that is not a database', ['blogs', 'list', '--database', 'sqlite:text.db'], /text.db/],
    [
      'a PostgreSQL server that is not running',
      ['blogs', 'list', '--database', 'postgres://me:pass-word@127.0.0.1:1/x'],
      /Cannot use the database postgres:\/\/me:…@127.0.0.1:1\/x/,
    ],
    [
      'a password with an @',
      ['blogs', 'list', '--database', 'postgres://u:hush@hush2@127.0.0.1:1/blog'],
      /^((?!hush)[\s\S])*postgres:\/\/u:…@127\.0\.0\.1:1\/blog: ((?!hush)[\s\S])*is PostgreSQL running((?!hush)[\s\S])*write @ as %40((?!hush)[\s\S])*$/,
    ],
    [
      'a URL in quotes',
      ['blogs', 'list', '--database', '"postgres://u:hush@h/db"'],
      /^broadsheet: --database: expected ((?!hush).)*the quotes became part of it: leave them out\n$/,
    ],
    [
      'an unknown host',
      ['blogs', 'list', '--database', 'postgres://u@no-such-host.invalid/x'],
      /x: ((?!for now).)*; check the host name in the URL/,
    ],
    [
      'a folder that is not writable',
      ['import', 'good.json', '--database', 'sqlite:/proc/blog.db'],
      /\/proc must be a folder that this user can write to/,
    ],
    [
      'a folder that is a file',
      ['import', 'good.json', '--database', 'sqlite:good.json/blog.db'],
      /good.json must be a folder that this user can write to/,
    ],
    [
      'a database of another program',
      ['blogs', 'list', '--database', 'sqlite:other.db'],
      /The database sqlite:other\.db has no Broadsheet tables; name another/,
    ],
    ['an unknown blog', ['stats', 'nope', '--database', 'sqlite:good.db'], /no blog "nope"; there is news/],
    [
      'a space at the end of an id',
      ['blogs', 'create', 'drafts ', '--database', 'sqlite:good.db'],
      /the id of a blog cannot be "drafts ": start with a letter or a digit/,
    ],
    [
      'an invalid id for a folder',
      ['import', 'tea', '--blog', 'bad id!', '--database', 'sqlite:good.db'],
      /--blog: the id of a blog cannot be "bad id!": start with a letter or a digit/,
    ],
    [
      'an empty id',
      ['import', 'tea', '--blog', '', '--database', 'sqlite:good.db'],
      /--blog: the id of a blog cannot be "": start with a letter or a digit/,
    ],
    [
      'a key of another blog',
      ['import', 'thief.json', '--database', 'sqlite:good.db'],
      /blog thief: one of its API keys already opens the blog news; remove it/,
    ],
    [
      'a slug of another post',
      ['import', 'slug.json', '--database', 'sqlite:good.db'],
      /blog news, post new \("N"\): the slug "\S+" belongs to the post \S+ \(".*use another slug, or the id/,
    ],
    ['a blog that exists', ['blogs', 'create', 'news', '--database', 'sqlite:good.db'], /The blog news already exists/],
    [
      'a domain with a path',
      ['blogs', 'domains', 'news', 'a.example/news', '--database', 'sqlite:good.db'],
      /is not a domain/,
    ],
    [
      'an unknown key',
      ['keys', 'revoke', 'news', 'abc', '--database', 'sqlite:good.db'],
      /no valid key with the id "abc"; it has [0-9a-f]{12}\./,
    ],
    ['neither key nor --all', ['keys', 'revoke', 'news', '--database', 'sqlite:good.db'], /--all/],
    ['an unknown ad', ['ads', 'pause', 'news', 'abc', '--database', 'sqlite:good.db'], /no ad "abc"/],
    [
      'an unknown format',
      ['ads', 'add', 'news', '--format', 'BIG', '--link', 'javascript:x', '--database', 'sqlite:good.db'],
      /--format: expected "BANNER"[\s\S]*--link: /,
    ],
    [
      'an ad that would never be shown',
      ['ads', 'add', 'news', '--format', 'BANNER', '--priority', 'high', '--starts', '2027-01-02T00:00:00Z'].concat([
        '--ends',
        '2027-01-01T00:00:00Z',
        '--database',
        'sqlite:good.db',
      ]),
      /3 problems:\n {2}--priority: expected a whole number from -999999999 to 999999999, received "high"\n {2}the ad is empty: .*\n {2}--ends: /,
    ],
    [
      'an ad with invalid fields',
      ['ads', 'add', 'news', '--format', 'banner', '--link', 'sponsor.example', '--content', ''].concat([
        '--priority',
        '1.5',
        '--ends',
        '2020-01-01',
        '--database',
        'sqlite:good.db',
      ]),
      /5 problems:\n {2}--content: is empty.*\n {2}--link: "sponsor\.example" .*Did you mean https:\/\/sponsor\.example\?\n {2}--priority: .* received "1\.5"\n {2}the ad is empty.*\n {2}--ends: 2020-01-01 is over/,
    ],
    [
      'an ad whose texts are all empty',
      ['ads', 'add', 'news', '--format', 'BANNER', '--content', '', '--title', ' ', '--database', 'sqlite:good.db'],
      /the ad is empty/,
    ],
    [
      'removing a domain that the blog does not have',
      ['blogs', 'domains', 'news', '--remove', 'a.example', '--database', 'sqlite:good.db'],
      /--remove: "a\.example" is not a domain of news, which has none/,
    ],
    [
      'domains together with --add',
      ['blogs', 'domains', 'news', 'a.example', '--add', 'b.example', '--database', 'sqlite:good.db'],
      /use either domains or these flags/,
    ],
    [
      'a domain with an invalid port',
      ['blogs', 'create', 'x', '--domain', 'a.example:70000', '--database', 'sqlite:good.db'],
      /"a.example:70000" is not a domain/,
    ],
  ])('%s is refused with one message and exit code 2', async (_, args, message) => {
    const { code, stderr, stdout } = await command(args, { cwd });
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/ {4}at /);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  it('all invalid settings are reported together', async () => {
    const env = {
      TRUST_PROXY: 'yes',
      RATE_LIMIT: '-1',
      RATE_LIMIT_ADDRESS: 'all',
      RATE_LIMIT_SLOTS: 'some',
      BROADSHEET_SECRET: 'short',
      LOG_LEVEL: 'loud',
      PUBLIC_URL: 'x',
      DOCS_URL: 'https://docs.example/?a',
      DATABASE_POOL: '0',
      DATABASE_TIMEOUT: 'soon',
      ALLOW_PRIVATE_WEBHOOKS: 'yes',
    };
    const { code, stderr } = await command(['serve', '--port', 'x'], { cwd, env });
    expect(code).toBe(2);
    for (const name of [...Object.keys(env), '--port']) expect(stderr).toContain(name);
    expect(stderr).not.toContain('received "short"');
  });

  it('all problems of a snapshot are reported together, including contradictions between its parts', async () => {
    const category = { id: 'c', name: 'C' };
    const post = { id: 'p', title: 'T', slug: 's' };
    const posts = [post, { ...post, id: 'q', title: 7 }, { ...post, slug: 't', categoryIds: ['c', 'd'] }];
    const ads = [{ id: 'no', format: 'BIG', startsAt: '2027-01-02T00:00:00Z', endsAt: '2027-01-01T00:00:00Z' }];
    const blog = { id: 'b', name: 'B', domains: ['http://x'], categories: [category, category], posts, ads };
    await writeFile(join(cwd, 'many.json'), JSON.stringify({ blogs: [blog, { id: 'b' }] }));
    const { code, stderr } = await command(['import', 'many.json'], { cwd });
    expect(code).toBe(2);
    const places = [...stderr.matchAll(/^ {2}(\S+): /gm)].map(([, place]) => place);
    expect(places.sort()).toEqual(
      ['ads.0.endsAt', 'ads.0.format', 'ads.0.id', 'categories.1.id', 'domains.0', 'posts.1.slug', 'posts.1.title']
        .concat(['posts.2.categoryIds.1', 'posts.2.id'])
        .map((place) => `blogs.0.${place}`)
        .concat(['blogs.1.id', 'blogs.1.name'])
        .sort(),
    );
  });

  it('a port in use leaves everything unchanged', async () => {
    const args = ['serve', '--port', busyPort(), '--database', 'sqlite:new.db', '--import', 'good.json'];
    const { code, stderr } = await command(args, { cwd });
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('is in use') });
    expect(await readdir(cwd)).not.toContain('new.db');
  });

  it('a dry run creates no database, and shows what an import into a new one would do', async () => {
    const before = await readdir(cwd);
    const { code, stdout, stderr } = await command(['import', 'good.json', '--dry-run', '--json'], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('nothing was written') });
    expect(JSON.parse(stdout).blogs).toMatchObject([{ id: TEST_BLOG.id, newPosts: TEST_BLOG.posts?.length }]);
    expect(await readdir(cwd)).toEqual(before);
  });

  it.skipIf(!inject('postgres'))('a dry run creates no tables in PostgreSQL', async () => {
    const database = await createPostgres('template0');
    const tables = "select count(*)::int as tables from pg_tables where schemaname = 'public'";
    expect(await queryPostgres(database, tables)).toEqual([{ tables: 0 }]);
    const dry = await command(['import', 'good.json', '--dry-run', '--database', database], { cwd });
    expect(dry).toMatchObject({ code: 0, stdout: expect.stringContaining(`${TEST_BLOG.id}: `) });
    expect(await queryPostgres(database, tables)).toEqual([{ tables: 0 }]);
  });

  it('a refused snapshot leaves the data unchanged', async () => {
    const before = await command(['export', 'news', '--database', 'sqlite:good.db'], { cwd });
    const { code } = await command(['import', 'wrong.json', '--database', 'sqlite:good.db'], { cwd });
    expect(code).toBe(2);
    expect(await command(['export', 'news', '--database', 'sqlite:good.db'], { cwd })).toEqual(before);
    expect((await command(['blogs', 'list', '--json', '--database', 'sqlite:good.db'], { cwd })).stdout).not.toContain(
      '"b"',
    );
  });

  it('a renamed file whose slug belongs to its old post is refused with the file, the post and a hint', async () => {
    await mkdir(join(cwd, 'posts'));
    const args = ['import', 'posts', '--database', 'sqlite:renamed.db'];
    await writeFile(join(cwd, 'posts', 'old.md'), '---\ntitle: Kept\nslug: keep\n---\n');
    expect(await command(args, { cwd })).toMatchObject({ code: 0 });
    const before = await command(['export', 'posts', '--database', 'sqlite:renamed.db'], { cwd });
    await rename(join(cwd, 'posts', 'old.md'), join(cwd, 'posts', 'new.md'));
    const { code, stderr } = await command(args, { cwd });
    expect(stderr).toMatch(
      /^broadsheet: new\.md: the slug "keep" belongs to the post old-\w+ \("Kept"\).*rename the file/m,
    );
    expect(code).toBe(2);
    expect(await command(['export', 'posts', '--database', 'sqlite:renamed.db'], { cwd })).toEqual(before);
  });

  it('a database of a newer Broadsheet is left unchanged', async () => {
    const path = join(cwd, 'newer.db');
    await command(['import', 'good.json', '--database', 'sqlite:newer.db'], { cwd });
    const database = new DatabaseSync(path);
    database.exec('UPDATE schema_version SET version = 9999');
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    database.close();
    const before = await readFile(path);
    const { code, stderr } = await command(['serve', '--port', '0', '--database', 'sqlite:newer.db'], { cwd });
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringMatching(/newer/i) });
    expect((await readFile(path)).equals(before)).toBe(true);
  });

  it('a database whose tables are not those of its version is left unchanged', async () => {
    const path = join(cwd, 'between.db');
    await command(['import', 'good.json', '--database', 'sqlite:between.db'], { cwd });
    const database = new DatabaseSync(path);
    database.exec("UPDATE schema_version SET hash = 'edited'");
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    database.close();
    const before = await readFile(path);
    for (const args of [
      ['serve', '--port', '0'],
      ['blogs', 'list'],
      ['keys', 'create', 'posts'],
    ]) {
      const { code, stderr } = await command([...args, '--database', 'sqlite:between.db'], { cwd });
      expect({ code, stderr }).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/A build of Broadsheet 0\.1\.0 wrote/),
      });
    }
    expect((await readFile(path)).equals(before)).toBe(true);
  });

  it('a database of an older version is served', async () => {
    const older = new URL('../../../store/test/older/1123-1129.db.gz', import.meta.url);
    await writeFile(join(cwd, 'older.db'), gunzipSync(await readFile(older)));
    const copied = await command(['copy', 'sqlite:older.db', 'sqlite:copied.db'], { cwd });
    expect(copied).toMatchObject({ code: 0, stdout: expect.stringContaining('posts: 3') });
    const stats = await command(['stats', 'magazine', '--json', '--database', 'sqlite:copied.db'], { cwd });
    expect(JSON.parse(stats.stdout)).toMatchObject({ ads: [{ valid: 3 }, { valid: 2 }, { valid: 0 }] });
    expect(await command(['stats', 'magazine', '--json', '--database', 'sqlite:older.db'], { cwd })).toEqual(stats);
  });
});

describe.skipIf(!inject('postgres'))('a command whose database is lost during the commit', () => {
  it('prints the new key, because nobody knows whether it is valid', async () => {
    const url = await createPostgres();
    expect(await command(['import', 'good.json', '--database', url], { cwd })).toMatchObject({ code: 0 });
    let [hasKey, isAway] = [false, false];
    const through = await betweenPostgres(url, {
      refuse: () => (isAway ? Buffer.alloc(0) : undefined),
      // After the new key is written, the response to the commit is lost, and so is everything that follows.
      sends(_, text) {
        hasKey ||= text.includes('insert into api_keys');
        isAway ||= hasKey && text === 'commit';
        return true;
      },
      passes: (_, __, link) => {
        if (isAway) link.cut();
        return !isAway;
      },
    });
    const { code, stdout, stderr } = await command(['keys', 'rotate', 'news', '--database', through], { cwd });
    expect(stderr).toContain('not known whether');
    expect(code).toBe(1);
    const { apiKey } = JSON.parse(stdout);
    expect((await command(['keys', 'list', 'news', '--json', '--database', url], { cwd })).stdout).toContain(
      apiKey.slice(0, 6),
    );
  });
});
