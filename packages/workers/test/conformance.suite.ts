import {
  CONFORMANCE_KEYS,
  type ConformanceCase,
  casesFor,
  conformanceSnapshot,
  type ScheduledPost,
  type Target,
} from '@broadsheet/conformance';
import type { BlogStats } from '@broadsheet/management';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fetchAlone } from '../../../tools/testing/workerd.ts';
import { type Deployment, deploy } from './deployment.ts';

const [main] = conformanceSnapshot.blogs;
const blogId = main?.id ?? '';

/** Checks a deployment in workerd with the selected cases. */
export function describeDeployment(name: string, isWanted: (one: ConformanceCase) => boolean): void {
  describe(name, { shuffle: false }, () => checkDeployment(isWanted));
}

function checkDeployment(isWanted: (one: ConformanceCase) => boolean): void {
  let deployment: Deployment;
  let ahead = 0;
  const now = () => Date.now() + ahead;

  const target: Target = {
    apiKey: CONFORMANCE_KEYS.main,
    otherKey: CONFORMANCE_KEYS.other,
    origins: true,
    ips: true,
    get baseUrl() {
      return deployment?.url ?? '';
    },
    get docsUrl() {
      return deployment?.url ?? '';
    },
    fetch(request, from) {
      if (from) request.headers.set('cf-connecting-ip', from.ip);
      return fetchAlone(request);
    },
    clock: {
      async advance(ms) {
        ahead += ms;
        const headers = { 'x-api-key': CONFORMANCE_KEYS.main, 'x-test-advance': String(ms) };
        await fetchAlone(new Request(deployment.url, { headers }));
      },
    },
    async schedule(post: ScheduledPost, due: number) {
      const scheduledAt = new Date(now() + due).toISOString();
      const blog = { id: blogId, name: 'Main', posts: [{ ...post, status: 'SCHEDULED', scheduledAt }] };
      await deployment.importBlog(blog);
    },
    async preview(id) {
      const preview = { post: id, url: 'https://site.example/preview' };
      const { url } = (await deployment.manage(blogId, 'posts.preview', preview)) as { readonly url: string };
      return new URL(url).searchParams.get('token') ?? '';
    },
    async adCounts(adId) {
      const { days } = (await deployment.manage(blogId, 'stats')) as BlogStats;
      const own = days.filter((count) => count.adId === adId);
      return {
        impressions: own.reduce((sum, { delivered }) => sum + delivered, 0),
        viewable: own.reduce((sum, { viewable }) => sum + viewable, 0),
        clicks: own.reduce((sum, { clicks }) => sum + clicks, 0),
      };
    },
  };

  beforeAll(async () => {
    deployment = await deploy({ entry: './moved-clock.fixture.ts' });
    for (const blog of conformanceSnapshot.blogs) await deployment.importBlog(blog);
  });
  afterAll(() => deployment.stop());

  const { cases, left } = casesFor(target);
  test('every case can be run', () => expect(left).toEqual([]));
  for (const { section, name, run } of cases.filter(isWanted)) test(`${section} ${name}`, () => run(target));
}
