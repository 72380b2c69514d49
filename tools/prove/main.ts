import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { TARGETS } from './deployment.ts';
import { prove } from './prove.ts';

const USAGE = `Usage: pnpm prove [--minutes 10] [--seed N] [--database ${TARGETS.join('|')}] [--clients 100] [--history FILE]

Starts servers, clients, operators and a nemesis, and checks afterwards that every count is right. It prints the first
contradiction between what clients saw and what the servers counted, and ends with 1.
`;

try {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '10' },
      seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000)) },
      database: { type: 'string', default: 'postgres' },
      clients: { type: 'string', default: '100' },
      history: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) console.log(USAGE);
  else process.exitCode = await start(values);
} catch (error) {
  console.error(`prove: ${error instanceof Error ? error.message : error}\n\n${USAGE}`);
  process.exitCode = 2;
}

async function start(values: {
  minutes: string;
  seed: string;
  database: string;
  clients: string;
  history?: string | undefined;
}) {
  const target = TARGETS.find((name) => name === values.database);
  if (!target) throw new Error(`--database: expected ${TARGETS.join(', ')}, received ${values.database}`);
  const [minutes, seed, clients] = [
    positive('minutes', values.minutes),
    positive('seed', values.seed),
    positive('clients', values.clients),
  ];
  const folder = await mkdtemp(join(tmpdir(), 'broadsheet-prove-'));
  const history = values.history ?? join(folder, 'history.jsonl');
  console.log(`Seed ${seed}, ${target}, ${clients} clients, ${minutes} minutes.`);
  const { summary, contradictions } = await prove({ target, minutes, seed, clients, folder, history });
  console.log(summary);
  const [first] = contradictions;
  if (!first) {
    console.log('Every promise was kept.');
    await rm(folder, { recursive: true, force: true });
    return 0;
  }
  console.log(`\nContradiction (1 of ${contradictions.length}): ${first.promise}\n  ${first.found}`);
  for (const entry of first.entries.slice(-20)) console.log(`  ${JSON.stringify(entry)}`);
  console.log(`\nThe whole history is in ${history}.`);
  console.log(`To repeat it: pnpm prove --minutes ${minutes} --seed ${seed} --database ${target} --clients ${clients}`);
  return 1;
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new Error(`--${name}: expected a number above 0, received ${text}`);
}
