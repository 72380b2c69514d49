import type { Observation } from '@broadsheet/core';
import { expect, it } from 'vitest';
import { createMetrics } from './metrics.ts';

it('counts what happened before the library was there, once', async () => {
  const metrics = createMetrics(() => ({}));
  const happened = { requestId: 'r', endpoint: 'listPosts', status: 200, ms: 1, impressions: 0 };
  const observation = happened as unknown as Observation;
  metrics.observe(observation);
  const { body } = await metrics.text();
  metrics.observe(observation);
  const later = await metrics.text();
  metrics.close();
  const count = (text: string) =>
    /broadsheet_requests_total\{endpoint="listPosts",status="200"\} (\d+)/.exec(text)?.[1];
  expect([count(body), count(later.body)]).toEqual(['1', '2']);
  expect(later.contentType).toMatch(/^text\/plain; version=/);
});
