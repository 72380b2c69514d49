import type { Observation } from '@broadsheet/core';
import type { Measures, Metrics } from './prometheus.ts';

/**
 * Counts what happens at one server. The library that counts is a fifth of all that a server loads, so it is loaded
 * once the server is ready; what happens before that is counted then.
 */
export function createMetrics(measures: Measures): Metrics {
  const early: Observation[] = [];
  let loading: Promise<Metrics> | undefined;
  let loaded: Metrics | undefined;
  const soon = setImmediate(load);

  function load(): Promise<Metrics> {
    loading ??= import('./prometheus.ts').then(({ createPrometheus }) => {
      loaded = createPrometheus(measures);
      for (const observation of early.splice(0)) loaded.observe(observation);
      return loaded;
    });
    return loading;
  }

  return {
    observe(observation) {
      if (loaded) loaded.observe(observation);
      else early.push(observation);
    },
    text: async () => (await load()).text(),
    close() {
      clearImmediate(soon);
      loading?.then((metrics) => metrics.close());
    },
  };
}
