import { AD_FORMATS, type SnapshotBlogInput } from '@broadsheet/contract';
import type { SqlStore } from '@broadsheet/store';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite } from '../../../tools/testing/site.ts';
import { type RunningDemo, startDemo } from './start-demo.ts';

const write = (blogs: readonly SnapshotBlogInput[]) => async (store: SqlStore) =>
  void (await store.importBlogs(blogs, Date.now()));

const AD = '6f6c7a52-8a1f-4f5e-9d8c-2f3b1c0d4e5f';

describe('startDemo with other content', () => {
  let demo: RunningDemo;

  beforeAll(async () => {
    const post = { id: 'p1', title: 'One', slug: 'one', publishedAt: '2026-01-01T00:00:00Z' };
    const ad = { id: AD, format: 'BANNER' as const, title: 'Buy' };
    const over = {
      id: '6f6c7a52-8a1f-4f5e-9d8c-2f3b1c0d4e60',
      format: 'BANNER' as const,
      endsAt: '2020-01-01T00:00:00Z',
    };
    const blogs = [
      { id: 'empty', name: 'Empty' },
      { id: 'mine', name: '"><script>alert(1)</script>', domains: ['blog.example'], posts: [post], ads: [ad, over] },
    ];
    demo = await startDemo({ port: 0, host: '127.0.0.1', fill: write(blogs) });
  });
  afterAll(async () => {
    await demo?.close();
  });
  const api = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(demo.url + path, {
      ...init,
      headers: { 'x-api-key': demo.blog.apiKey, 'content-type': 'application/json', origin: demo.url },
    });

  it('shows the blog with the most posts, with a new key', async () => {
    expect(demo.blog.id).toBe('mine');
    const { data } = (await (await api('/public/posts')).json()) as { data: { id: string }[] };
    expect(data.map(({ id }) => id)).toEqual(['p1']);
  });

  it('writes the name of the blog as text and allows no inline script', async () => {
    const response = await fetch(`${demo.url}/posts/one`);
    expect(await response.text()).not.toContain('<script>alert');
    const policy = response.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
  });

  it('lets the pages of the demo report clicks, and counts them at /demo/stats', async () => {
    const { clickToken } = (await (await api('/public/ads/formats/BANNER')).json()) as { clickToken: string };
    const click = await api('/public/ads/tracking/click', { method: 'POST', body: JSON.stringify({ clickToken }) });
    expect(click.status).toBe(200);
    const figures = await (await fetch(`${demo.url}/demo/stats`)).text();
    expect(figures).toContain('1 shown · 1 clicked');
    expect(figures.match(/<tr.*?<\/tr>/g)).toEqual([
      expect.stringMatching(/>Buy<.*>BANNER<.*<td>1<\/td><td>1<\/td>/),
      expect.stringMatching(/class="resting".*>BANNER, resting<.*<td>0<\/td><td>0<\/td>/),
    ]);
  });

  it('has a picture for a post of any blog', async () => {
    const response = await fetch(`${demo.url}/posts/one`);
    const [path] = /\/demo\/art\/[a-z]+\.svg/.exec((await response.text()).split('<main')[1] ?? '') ?? [];
    const picture = await fetch(demo.url + path);
    expect(picture.headers.get('content-type')).toBe('image/svg+xml');
    expect(await picture.text()).toMatch(/^<svg /);
    expect((await fetch(`${demo.url}/demo/art/none.svg`)).status).toBe(404);
  });

  it('shows the ads of the sample blog on a blog without ads', async () => {
    const plain = await startDemo({ port: 0, host: '127.0.0.1', fill: write([{ id: 'plain', name: 'Plain' }]) });
    expect(plain.showsSampleAds).toBe(true);
    try {
      const figures = await (await fetch(`${plain.url}/demo/stats`)).text();
      const running = [...figures.matchAll(/<small>([A-Z]+)<\/small>/g)].map(([, format]) => format);
      expect(new Set(running)).toEqual(new Set(AD_FORMATS));
    } finally {
      await plain.close();
    }
  });

  it('sends webhooks, even to a site on the same machine', async () => {
    const received = Promise.withResolvers<string | undefined>();
    await using site = await openSite((request, response) => {
      received.resolve(request.headers['webhook-id']?.toString());
      response.writeHead(204).end();
    });
    const { store, blog } = demo;
    const hook = { id: 'h', url: site.url, types: ['post.updated'] as const, secret: 'whsec_c2VjcmV0' };
    await store.addHook(blog.id, hook, Date.now());
    const message = await store.testHook(blog.id, hook.id);
    expect(await received.promise).toBe(message);
  });

  it('rejects with the error when its content cannot be written', async () => {
    const fill = () => Promise.reject(new Error('no such file'));
    await expect(startDemo({ port: 0, host: '127.0.0.1', fill })).rejects.toThrow('no such file');
  });
});
