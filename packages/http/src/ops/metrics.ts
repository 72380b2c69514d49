import type { Observation } from '@broadsheet/core';
import { LRUCache } from 'lru-cache';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Values that other modules measure, by name. Every call must return the same names. */
export type Measures = () => Readonly<Record<string, { readonly help: string; readonly value: number }>>;

/** In seconds. Most responses come from memory, so the buckets start small. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

export type Metrics = ReturnType<typeof createMetrics>;

/** Metrics of one server for Prometheus, in a separate registry. */
export function createMetrics(measures: Measures) {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'broadsheet_requests_total',
    help: 'Responses, by endpoint and status.',
    labelNames: ['endpoint', 'status'],
    registers,
  });
  const seconds = new Histogram({
    name: 'broadsheet_request_duration_seconds',
    help: 'Time from a request to its response, by endpoint.',
    labelNames: ['endpoint'],
    buckets: BUCKETS,
    registers,
  });
  const impressions = new Counter({
    name: 'broadsheet_impressions_total',
    help: 'Impressions counted, each durable before its response was sent.',
    registers,
  });
  const clicks = new Counter({
    name: 'broadsheet_clicks_total',
    help: 'Clicks by outcome: counted, repeated (same visitor, not counted) or used (token replayed).',
    labelNames: ['outcome'],
    registers,
  });
  addMeasures(measures, registers);
  const countBlog = countBlogs(registers);
  // Finding a series by its labels costs more than counting. There are few series, since clients cannot add labels.
  const known = new Map<string, { readonly count: Counter.Internal; readonly time: Histogram.Internal<'endpoint'> }>();

  return {
    observe(observation: Observation): void {
      const { blogId, status, ms, impressions: delivered, click } = observation;
      const endpoint: string = observation.endpoint ?? 'none';
      if (blogId !== undefined) countBlog(blogId, delivered);
      const key = `${endpoint} ${status}`;
      let series = known.get(key);
      if (!series) {
        series = { count: requests.labels(endpoint, String(status)), time: seconds.labels(endpoint) };
        known.set(key, series);
      }
      series.count.inc();
      series.time.observe(ms / 1000);
      if (delivered > 0) impressions.inc(delivered);
      if (click) clicks.labels(click).inc();
    },
    /** The metrics in the text format of Prometheus. */
    text: async () => ({ body: await registry.metrics(), contentType: registry.contentType }),
    /** Stops the timers behind the metrics of the process. */
    close: () => registry.clear(),
  };
}

/** Adds the measures of other modules, which are read when Prometheus scrapes. */
function addMeasures(measures: Measures, registers: Registry[]): void {
  for (const [name, { help }] of Object.entries(measures())) {
    const Metric = name.endsWith('_total') ? Counter : Gauge;
    new Metric({
      name: `broadsheet_${name}`,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(measures()[name]?.value ?? 0);
      },
    });
  }
}

/** The number of blogs that are counted, and how many of them are reported. */
const MAX_BLOGS = 10_000;
const BUSIEST = 20;

/** Counts by blog. Only the busiest are reported, because ten thousand series would be expensive. */
function countBlogs(registers: Registry[]) {
  // Limited by size, because `max` would allocate all entries when the cache is created.
  const blogs = new LRUCache<string, { requests: number; impressions: number }>({
    maxSize: MAX_BLOGS,
    sizeCalculation: () => 1,
  });
  const report = (name: 'requests' | 'impressions') =>
    new Counter({
      name: `broadsheet_blog_${name}_total`,
      help: `The ${BUSIEST} blogs with the most ${name} since the start.`,
      labelNames: ['blog'],
      registers,
      collect() {
        this.reset();
        const busiest = [...blogs.entries()].sort(([, a], [, b]) => b[name] - a[name]).slice(0, BUSIEST);
        for (const [blog, counts] of busiest) if (counts[name] > 0) this.labels(blog).inc(counts[name]);
      },
    });
  report('requests');
  report('impressions');
  return (blogId: string, impressions: number) => {
    const counts = blogs.get(blogId);
    if (!counts) return void blogs.set(blogId, { requests: 1, impressions });
    counts.requests += 1;
    counts.impressions += impressions;
  };
}
