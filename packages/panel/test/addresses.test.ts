import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { MANAGER, type PanelServer, startPanel } from './panel-server.ts';

const IDS = ['.', '..', '~.', '~~..', '%2e%2e', 'a/../b', 'a b?c#d', 'new', 'preview', 'é'];
/** A blog cannot have the id of a page of the panel, or one that browsers resolve. */
const BLOGS = ['~..', '%2e', 'a/b', 'campaigns', 'é'];

describe('the URL of a page', () => {
  const folder = temporaryFolder();
  let panel: PanelServer;
  let session = '';
  beforeAll(async () => {
    panel = await startPanel(`sqlite:${folder.join('panel.db')}`, Date);
    const posts = IDS.map((id, index) => ({ id, slug: `${index}`, title: `Post ${id}`, content: `Text ${id}` }));
    const campaigns = IDS.map((id) => ({ id, sponsor: 'Leaves', name: `Campaign ${id}` }));
    await panel.store.importBlogs([...BLOGS.map((id) => ({ id, name: `Blog ${id}`, posts, campaigns }))], Date.now());
    session = await panel.session(MANAGER);
  });
  afterAll(() => panel?.close());

  /** The page at a link, and its links, as a browser resolves them. */
  async function follow(link: string) {
    const response = await panel.ask(session, new URL(link, panel.url).href.slice(panel.url.length));
    const html = await response.text();
    const links = [...html.matchAll(/(?:href|src)="(\/panel\/[^"]*)"/g)].map(([, to = '']) =>
      to.replaceAll('&amp;', '&'),
    );
    const title = /<title>([^<]*)/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';
    return { status: response.status, html, links, title };
  }

  it('leads to the blog, post or campaign of any id', async () => {
    const blogs = (await follow('/panel/blogs')).links;
    for (const [index, id] of BLOGS.entries()) {
      const pages = await Promise.all(blogs.map(follow));
      const own = pages.find(({ title }) => title.startsWith(`Overview · Blog ${id} `));
      expect([id, own?.status]).toEqual([id, 200]);
      // One blog is enough for the pages inside it.
      if (index > 0) continue;
      for (const [list, name] of [
        ['posts', 'Post'],
        ['campaigns', 'Campaign'],
      ] as const) {
        const all = await follow(own?.links.find((link) => link.endsWith(`/${list}`)) ?? '');
        const found = await Promise.all(all.links.filter((link) => link.includes(`/${list}/`)).map(follow));
        for (const item of IDS) {
          const page = found.find(({ title }) => title.startsWith(`${name} ${item} · `));
          expect([name, item, page?.status]).toEqual([name, item, 200]);
          const frames = page?.links.filter((link) => link.endsWith('/text')) ?? [];
          for (const frame of frames) expect((await follow(frame)).html).toContain(`Text ${item}`);
          expect(frames).toHaveLength(list === 'posts' ? 1 : 0);
        }
      }
    }
  });
});
