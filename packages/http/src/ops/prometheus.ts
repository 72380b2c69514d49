import type { Observation } from '@broadsheet/core';
import type { ServerStore } from '@broadsheet/management';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** What Prometheus reads from a server. */
export interface Metrics {
  observe(observation: Observation): void;
  /** The metrics in the text format of Prometheus. */
  text(): Promise<{ readonly body: string; readonly contentType: string }>;
  /** Stops the timers behind the process metrics. */
  close(): void;
}

/** Seconds; most answers come from memory, so the buckets start small. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Counts what happens at one server, in a registry of its own. */
export function createPrometheus(store: ServerStore): Metrics {
  const registers = [new Registry()];
  const [registry = new Registry()] = registers;
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'broadsheet_requests_total',
    help: 'Requests answered, by endpoint and status.',
    labelNames: ['endpoint', 'status'],
    registers,
  });
  const seconds = new Histogram({
    name: 'broadsheet_request_duration_seconds',
    help: 'Time from a request to its answer, by endpoint.',
    labelNames: ['endpoint'],
    buckets: BUCKETS,
    registers,
  });
  const impressions = new Counter({
    name: 'broadsheet_impressions_total',
    help: 'Impressions counted: durable before the answer left.',
    registers,
  });
  const clicks = new Counter({
    name: 'broadsheet_clicks_total',
    help: 'Clicks, by what became of them: counted, repeated (same visitor, not counted) or used (token replayed).',
    labelNames: ['outcome'],
    registers,
  });
  addStoreMeasures(store, registers);
  // Looking a series up by its labels costs more than counting in it; there are few, for both labels are our own words.
  const known = new Map<string, { readonly count: Counter.Internal; readonly time: Histogram.Internal<'endpoint'> }>();

  return {
    observe({ endpoint = 'none', status, ms, impressions: delivered, click }) {
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
    text: async () => ({ body: await registry.metrics(), contentType: registry.contentType }),
    close: () => registry.clear(),
  };
}

/** What the store measures of itself, read when Prometheus asks. */
function addStoreMeasures(store: ServerStore, registers: Registry[]): void {
  for (const [name, { help }] of Object.entries(store.measures?.() ?? {})) {
    const value = () => store.measures?.()[name]?.value ?? 0;
    const about = { name: `broadsheet_store_${name}`, help, registers };
    if (name.endsWith('_total')) {
      new Counter({
        ...about,
        collect() {
          this.reset();
          this.inc(value());
        },
      });
    } else {
      new Gauge({
        ...about,
        collect() {
          this.set(value());
        },
      });
    }
  }
}
