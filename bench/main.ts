import { parseArgs } from 'node:util';
import { type BenchOptions, budgets, type Finding, heldValue, verdictOf } from './budget.ts';
import { installPeers } from './peers.ts';
import { table } from './table.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
});

type Measure = (options: BenchOptions) => Promise<Finding[]>;

/** Each is loaded when it runs, so that one that cannot be loaded does not hinder the others. */
const measures: readonly { readonly ids: readonly string[]; readonly load: () => Promise<Measure> }[] = [
  { ids: ['sdk.size'], load: async () => (await import('./sdk/size.ts')).size },
  { ids: ['sdk.cpu-large', 'sdk.cpu-small'], load: async () => (await import('./sdk/cpu.ts')).cpu },
  { ids: ['sdk.import'], load: async () => (await import('./sdk/import.ts')).imports },
  { ids: ['sdk.typed-errors'], load: async () => (await import('./sdk/typed-errors.ts')).typedErrors },
  { ids: ['widget.size'], load: async () => (await import('./widget/size.ts')).size },
  {
    ids: ['widget.script-time', 'widget.requests', 'widget.layout-shift', 'widget.long-tasks'],
    load: async () => (await import('./widget/page.ts')).page,
  },
  { ids: ['widget.clicks'], load: async () => (await import('./widget/clicks.ts')).clicks },
  { ids: ['mock.size'], load: async () => (await import('./mock/size.ts')).size },
  { ids: ['mock.start'], load: async () => (await import('./mock/start.ts')).start },
  { ids: ['mock.fetch'], load: async () => (await import('./mock/fetch.ts')).mockFetch },
  { ids: ['mock.handlers'], load: async () => (await import('./mock/handlers.ts')).handlers },
  { ids: ['mock.http'], load: async () => (await import('./mock/http.ts')).http },
  {
    ids: ['server.hot-list', 'server.hot-slug', 'server.cold-list', 'server.batch'],
    load: async () => (await import('./server/throughput.ts')).throughput,
  },
  { ids: ['server.search', 'server.deep-offset'], load: async () => (await import('./server/scale.ts')).scale },
  {
    ids: ['server.search-postgres', 'server.deep-offset-postgres'],
    load: async () => (await import('./server/scale.ts')).scaleOnPostgres,
  },
  { ids: ['server.ads'], load: async () => (await import('./server/ads.ts')).ads },
  { ids: ['server.start'], load: async () => (await import('./server/start-up.ts')).startUp },
];

const groups = [...new Set(budgets.map(({ group }) => group))];
const unknown = positionals.filter((name) => !groups.includes(name) && !budgets.some(({ id }) => id === name));
if (unknown.length > 0) {
  console.error(
    `There is nothing called ${unknown.join(', ')} to measure; choose of ${groups.join(', ')}, or the id of a row in budgets.json.`,
  );
  process.exit(2);
}
const wanted = budgets.filter(
  ({ group, id }) => positionals.length === 0 || positionals.includes(group) || positionals.includes(id),
);
const say = (text: string): void => console.error(`… ${text}`);

await installPeers(say);
const findings: Finding[] = [];
for (const { ids, load } of measures) {
  if (!wanted.some(({ id }) => ids.includes(id))) continue;
  const started = performance.now();
  try {
    const measure = await load();
    findings.push(...(await measure({ quick: values.quick, say })));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    findings.push(...ids.map((id) => ({ id, notMeasured: why.slice(0, 300) })));
  }
  say(`${ids.join(', ')}: ${((performance.now() - started) / 1000).toFixed(1)} s`);
}

const rows = wanted.map((budget) => {
  const none: Finding = {
    id: budget.id,
    notMeasured: 'its measure told nothing about it',
  };
  const finding = findings.find(({ id }) => id === budget.id) ?? none;
  return { budget, finding, value: heldValue(budget, finding), verdict: verdictOf(budget, finding) };
});
if (values.json) console.log(JSON.stringify({ node: process.version, quick: values.quick, rows }, null, 2));
else console.log(`\n${table(rows)}`);
process.exitCode = rows.some(({ verdict }) => verdict === 'MISSED') ? 1 : 0;
