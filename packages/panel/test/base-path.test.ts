import { openStore } from '@broadsheet/store/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formToken } from '../src/access/visit.ts';
import { createPanelApp } from '../src/panel.ts';
import { MANAGER, NEWS, OTHER } from './panel-server.ts';

const BASE = '/some/blog';
const ORIGIN = 'https://magazine.example';

describe('a panel below a path', () => {
  let store: Awaited<ReturnType<typeof openStore>>;
  let respond: (request: Request) => Promise<Response>;
  let cookie = '';

  /** Sends a request as a browser does through a proxy that removes the path. */
  const ask = (
    path: string,
    { method = 'GET', form = {} }: { method?: string; form?: Record<string, string> } = {},
  ) => {
    expect(path.startsWith(`${BASE}/`), path).toBe(true);
    const inside = path.slice(BASE.length);
    const session = /=(.*)/.exec(cookie)?.[1] ?? '';
    const body = new URLSearchParams({ token: formToken(session, inside.split('?')[0] ?? ''), ...form });
    return respond(
      new Request(`http://127.0.0.1${inside}`, {
        ...{ method, headers: { cookie, origin: ORIGIN, host: 'magazine.example' } },
        ...(method === 'POST' && { body }),
      }),
    );
  };

  beforeAll(async () => {
    store = await openStore('sqlite::memory:');
    await store.importBlogs([NEWS, OTHER], Date.now());
    const runAlone = <T>(client: AbortSignal, work: (signal: AbortSignal) => Promise<T>) => work(client);
    respond = createPanelApp({ store, publicUrl: ORIGIN + BASE, runAlone });
  });
  afterAll(() => store.close());

  it('signs people in with a cookie for this path, and redirects within it', async () => {
    const token = 'token-of-the-link';
    await store.invitePerson(MANAGER, token, Date.now());
    const page = await (await ask(`${BASE}/panel/sign-in?token=${token}`)).text();
    expect(page).toContain(`action="${BASE}/panel/sign-in"`);
    const response = await ask(`${BASE}/panel/sign-in`, { method: 'POST', form: { invitation: token } });
    expect([response.status, response.headers.get('location')]).toEqual([303, `${BASE}/panel`]);
    const [sent = ''] = response.headers.getSetCookie();
    expect(sent).toContain(`; Path=${BASE}/panel;`);
    cookie = sent.split(';')[0] ?? '';
    expect((await ask(`${BASE}/panel`)).headers.get('location')).toBe(`${BASE}/panel/blogs`);
  });

  it('has no page with a link that leaves the path', async () => {
    const seen = new Set<string>();
    const leaving: string[] = [];
    const decoded = (to: string) => to.replaceAll('&amp;', '&').replace(/#.*/, '');
    const queue = [`${BASE}/panel/blogs`];
    for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
      if (seen.has(path) || seen.size > 150) continue;
      seen.add(path);
      const response = await ask(path);
      expect([path, response.status]).toEqual([path, 200]);
      if (!response.headers.get('content-type')?.startsWith('text/html')) continue;
      const links = [...(await response.text()).matchAll(/ (?:href|src|action)="(\/[^"]*)"/g)].map(([, to = '']) => to);
      leaving.push(...links.filter((to) => !to.startsWith(`${BASE}/`)));
      queue.push(...links.filter((to) => !/\.(?:css|js|svg)$|\/[a-z-]+\.[a-z-]+$/.test(to)).map(decoded));
    }
    expect(leaving).toEqual([]);
    expect(seen.size).toBeGreaterThan(30);
  });

  it('returns to its own page after a form', async () => {
    const response = await ask(`${BASE}/panel/news/blogs.rename`, { method: 'POST', form: { name: 'Renamed' } });
    expect([response.status, response.headers.get('location')?.startsWith(`${BASE}/panel/news/`)]).toEqual([303, true]);
  });
});
