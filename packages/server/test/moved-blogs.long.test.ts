// Long: each guide starts the program three times, as its commands say.
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { readGuide } from '../../../tools/testing/guide.ts';
import { png } from '../../../tools/testing/images.ts';
import { command } from './command.ts';

type Files = Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>;
type Fields = Readonly<Record<string, unknown>>;

const LIVE = { status: 'PUBLISHED', publishedAt: '2026-01-31T00:00:00.000Z' };
const HIDDEN = { status: 'DRAFT', publishedAt: null };

/** A small site of each generator, and what its posts become, by title. */
const SITES: readonly (readonly [guide: string, files: Files, posts: Readonly<Record<string, Fields>>])[] = [
  [
    'from-jekyll.md',
    {
      'my-site/_posts/2026-01-31-hello.md': '---\nlayout: post\ntitle: Hello\npermalink: /a/greeting/\n---\nText.\n',
      'my-site/_drafts/idea.md': '---\nlayout: post\ntitle: Idea\n---\nText.\n',
      'my-site/about.md': '---\nlayout: page\ntitle: About\n---\n',
      'my-site/README.md': '# Build it\n',
    },
    { Hello: { ...LIVE, slug: 'greeting' }, Idea: HIDDEN },
  ],
  [
    'from-hugo.md',
    {
      'content/posts/hello/index.md': '+++\ntitle = "Hello"\ndate = 2026-01-31\nsummary = "One"\n+++\n![](a.png)\n',
      'content/posts/hello/a.png': png(2, 2),
      'content/posts/over.md': '---\ntitle: Over\ndate: 2020-01-01\nexpiryDate: 2021-01-01\n---\n',
      'content/posts/later.md': '{\n"title": "Later",\n"publishDate": "2099-01-01"\n}\nText.\n',
      'content/posts/_index.md': '---\ntitle: Posts\n---\n',
      'static/x.txt': '',
    },
    { Hello: { ...LIVE, slug: 'hello', subtitle: 'One' }, Over: HIDDEN, Later: { status: 'SCHEDULED' } },
  ],
  [
    'from-hexo.md',
    {
      'source/_posts/hello.md': 'title: Hello\ndate: 2026-01-31\ncover_image: https://x.example/a.png\n---\nText.\n',
      'source/_drafts/idea.md': 'title: Idea\n---\nText.\n',
      'source/tags/index.md': '---\ntitle: Tags\ntype: tags\n---\n',
    },
    { Hello: { ...LIVE, coverUrl: 'https://x.example/a.png' }, Idea: HIDDEN },
  ],
  [
    'from-eleventy.md',
    {
      'content/blog/hello.md': '---\ntitle: Hello\ndate: 2026-01-31\ntags: [a]\n---\nText.\n',
      'content/blog/idea.md': '---json\n{ "title": "Idea", "permalink": false }\n---\nText.\n',
    },
    { Hello: LIVE, Idea: HIDDEN },
  ],
  [
    'from-astro.md',
    {
      'src/content/blog/hello.md':
        '---\ntitle: Hello\npubDate: Jan 31 2026\nupdatedDate: 2026-02-01\nheroImage: https://x.example/a.png\n---\n',
      'src/content/blog/_idea.md': '---\ntitle: Idea\npubDate: 2026-01-31\n---\n',
    },
    { Hello: { ...LIVE, coverUrl: 'https://x.example/a.png' }, Idea: HIDDEN },
  ],
  [
    'from-docusaurus.md',
    {
      'blog/2026-01-31-hello.mdx':
        '---\ntitle: Hello\nauthors: [ann, { name: Bo }]\nhide_table_of_contents: true\n---\n',
      'blog/2026-01-31-idea.md': '---\ntitle: Idea\nunlisted: true\n---\n',
      'static/x.txt': '',
    },
    { Hello: { ...LIVE, authorId: 'ann, Bo' }, Idea: HIDDEN },
  ],
  [
    'from-zola.md',
    {
      'content/hello.md':
        '+++\ntitle = "Hello"\ndate = 2026-01-31\npath = "a/greeting"\n[taxonomies]\ntags = ["x"]\n+++\n',
      'content/idea.md': '+++\ntitle = "Idea"\nrender = false\n+++\n',
      'content/_index.md': '+++\ntitle = "Blog"\n+++\n',
      'static/x.txt': '',
    },
    { Hello: { ...LIVE, slug: 'greeting' }, Idea: HIDDEN },
  ],
  [
    'from-pelican.md',
    {
      'content/hello.md': 'Title: Hello\nDate: 2026-01-31\nAuthor: Ann\n\nText.\n',
      'content/idea.md': 'Title: Idea\nDate: 2026-01-31\nStatus: hidden\n\nText.\n',
    },
    { Hello: { ...LIVE, authorId: 'Ann' }, Idea: HIDDEN },
  ],
  [
    'from-obsidian.md',
    {
      'vault/blog/Hello.md': '---\ncreated: 2026-01-31\ntags:\n  - x\n---\nText.\n',
      'vault/blog/A note.md': 'Text with [[Hello]].\n',
      'vault/blog/Secret.md': '---\ndate: 2026-01-31\npublish: false\n---\n',
    },
    { Hello: LIVE, 'A note': HIDDEN, Secret: HIDDEN },
  ],
];

test.each(SITES)('%s: its commands import a site', async (guide, files, posts) => {
  const folder = temporaryFolder();
  await folder.write(files);
  const run = (args: readonly string[]) => command(args, { cwd: folder.path });
  const [block] = readGuide(guide);
  const lines = block?.code.trim().split('\n') ?? [];
  expect(lines).toHaveLength(2);
  const outputs: string[] = [];
  for (const line of lines) {
    const [program, ...args] = line.replace(/\s+#.*$/, '').split(' ');
    expect(program).toBe('broadsheet');
    const { code, stdout, stderr } = await run(args);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    outputs.push(stderr);
    expect(stdout).toContain(`${Object.keys(posts).length} posts`);
  }
  const count = Object.keys(posts).length;
  for (const output of outputs)
    expect(output).toMatch(new RegExp(`^${count} posts: \\d published, \\d drafts?, \\d scheduled`, 'm'));
  const { blogs } = JSON.parse((await run(['export', 'my-blog'])).stdout);
  const stored: readonly { readonly title: string }[] = blogs[0].posts;
  const byTitle = Object.fromEntries(stored.map((post) => [post.title, post]));
  expect(Object.keys(byTitle).sort()).toEqual(Object.keys(posts).sort());
  expect(byTitle).toMatchObject(posts);
});
