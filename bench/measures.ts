import type { BenchOptions, Finding } from './budget.ts';

type Measure = (options: BenchOptions) => Promise<Finding[]>;

/**
 * The measures of the rows of `budgets.json`. Each is imported when it is used, so that a failed import does not affect
 * the others.
 */
export const measures: readonly { readonly ids: readonly string[]; readonly load: () => Promise<Measure> }[] = [
  { ids: ['sdk.size', 'sdk.size-one-file'], load: async () => (await import('./sdk/size.ts')).size },
  {
    ids: ['sdk.cpu-large', 'sdk.cpu-small', 'sdk.cpu-ky-large', 'sdk.cpu-ky-small'],
    load: async () => (await import('./sdk/cpu.ts')).cpu,
  },
  { ids: ['sdk.import'], load: async () => (await import('./sdk/import.ts')).imports },
  { ids: ['sdk.typed-errors'], load: async () => (await import('./sdk/typed-errors.ts')).typedErrors },
  { ids: ['widget.size', 'widget.beacon'], load: async () => (await import('./widget/size.ts')).size },
  {
    ids: ['widget.script-time', 'widget.requests', 'widget.layout-shift', 'widget.long-tasks'],
    load: async () => (await import('./widget/page.ts')).page,
  },
  { ids: ['widget.unseen'], load: async () => (await import('./widget/unseen.ts')).unseen },
  { ids: ['widget.clicks'], load: async () => (await import('./widget/clicks.ts')).clicks },
  { ids: ['mock.size'], load: async () => (await import('./mock/size.ts')).size },
  { ids: ['mock.start'], load: async () => (await import('./mock/start.ts')).start },
  { ids: ['mock.fetch'], load: async () => (await import('./mock/fetch.ts')).mockFetch },
  { ids: ['mock.handlers'], load: async () => (await import('./mock/handlers.ts')).handlers },
  { ids: ['mock.growth'], load: async () => (await import('./mock/growth.ts')).growth },
  { ids: ['mock.http'], load: async () => (await import('./mock/http.ts')).http },
  {
    ids: ['server.hot-list', 'server.hot-slug', 'server.cold-list', 'server.batch'],
    load: async () => (await import('./server/throughput.ts')).throughput,
  },
  {
    ids: ['server.search', 'server.search-scan', 'server.deep-offset'],
    load: async () => (await import('./server/scale.ts')).scale,
  },
  {
    ids: ['server.search-postgres', 'server.search-scan-postgres', 'server.deep-offset-postgres'],
    load: async () => (await import('./server/scale.ts')).scaleOnPostgres,
  },
  { ids: ['server.fairness'], load: async () => (await import('./server/fairness.ts')).fairness },
  {
    ids: ['server.soak-failed', 'server.soak', 'server.soak-memory'],
    load: async () => (await import('./server/soak.ts')).soak,
  },
  { ids: ['server.import'], load: async () => (await import('./server/import.ts')).importing },
  { ids: ['server.idempotency'], load: async () => (await import('./server/idempotency.ts')).idempotency },
  { ids: ['server.campaign'], load: async () => (await import('./server/campaign.ts')).campaign },
  { ids: ['server.ads'], load: async () => (await import('./server/ads.ts')).ads },
  { ids: ['server.blogs'], load: async () => (await import('./server/blogs.ts')).blogs },
  { ids: ['server.panel'], load: async () => (await import('./server/panel.ts')).panel },
  { ids: ['server.restart'], load: async () => (await import('./server/restart.ts')).restart },
  {
    ids: ['server.webhook', 'server.webhook-lost'],
    load: async () => (await import('./server/webhooks.ts')).webhooks,
  },
  { ids: ['server.start'], load: async () => (await import('./server/start-up.ts')).startUp },
  { ids: ['workers.size'], load: async () => (await import('./workers/size.ts')).size },
  {
    ids: ['workers.start', 'workers.batch', 'workers.hot-list'],
    load: async () => (await import('./workers/load.ts')).oneObject,
  },
  { ids: ['workers.delivery-rows', 'workers.click-rows'], load: async () => (await import('./workers/rows.ts')).rows },
];
