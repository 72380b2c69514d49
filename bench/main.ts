import { parseArgs } from 'node:util';
import { budgets, type Finding, heldValue, verdictOf } from './budget.ts';
import { measures } from './measures.ts';
import { installPeers } from './peers.ts';
import { table } from './table.ts';

const groups = [...new Set(budgets.map(({ group }) => group))];
const USAGE = `Usage: pnpm bench [--quick] [--json] [${groups.join('|')}|ID …]

Measures the rows of budgets.json: all of them, those of a group, or those with an id, such as server.start.

  --quick  fewer rounds and 30,000 posts
  --json   prints JSON; progress is printed to standard error
`;

const { values, positionals } = readArguments();
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}

const unknown = positionals.filter((name) => !groups.includes(name) && !budgets.some(({ id }) => id === name));
if (unknown.length > 0) {
  console.error(
    `Unknown measure: ${unknown.join(', ')}. Expected one of ${groups.join(', ')}, or the id of a row in budgets.json.`,
  );
  process.exit(2);
}
const wanted = budgets.filter(
  ({ group, id }) =>
    positionals.length === 0 || positionals.some((name) => name === group || name === id || id.startsWith(`${name}-`)),
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
    notMeasured: 'its measure reported no result',
  };
  const finding = findings.find(({ id }) => id === budget.id) ?? none;
  return { budget, finding, value: heldValue(budget, finding), verdict: verdictOf(budget, finding) };
});
if (values.json) console.log(JSON.stringify({ node: process.version, quick: values.quick, rows }, null, 2));
else console.log(`\n${table(rows)}`);
process.exitCode = rows.some(({ verdict }) => verdict === 'MISSED') ? 1 : 0;

function readArguments() {
  const flag = { type: 'boolean', default: false } as const;
  try {
    return parseArgs({ allowPositionals: true, options: { quick: flag, json: flag, help: { ...flag, short: 'h' } } });
  } catch (error) {
    console.error(`bench: ${error instanceof Error ? error.message : error}\n\n${USAGE}`);
    process.exit(2);
  }
}
