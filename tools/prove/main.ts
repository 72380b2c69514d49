import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { TARGETS } from './deployment.ts';
import { type Proof, prove } from './prove.ts';

const USAGE = `Usage: pnpm prove [--minutes 10] [--seed N] [--database ${TARGETS.join('|')}] [--clients 100] [--history FILE]

Starts servers, clients, operators and a nemesis, and checks afterwards that every count is right. It ends with
  0  if every promise was kept
  1  if what clients saw contradicts what the servers counted; every contradiction is printed
  2  if it could not run
  3  if nothing was proved, because a kind of request was never acknowledged or a fault was never injected
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
  const onProgress = (text: string) => console.log(text);
  const proof = await prove({ target, minutes, seed, clients, folder, history, onProgress });
  const code = report(proof);
  console.log(`\nThe whole history is in ${history}.`);
  if (code !== 0) {
    console.log(
      `To repeat it: pnpm prove --minutes ${minutes} --seed ${seed} --database ${target} --clients ${clients}`,
    );
  }
  return code;
}

/** Prints what was found, and returns the exit code. */
function report({ summary, chances, contradictions, missing }: Proof): number {
  console.log(`\n${summary}\n\nHow often each rule had a chance to fail:`);
  for (const [promise, count] of chances) console.log(`  ${count === 0 ? 'never' : count}: ${promise}`);
  for (const [index, { promise, found, entries }] of contradictions.entries()) {
    console.log(`\nContradiction (${index + 1} of ${contradictions.length}): ${promise}\n  ${found}`);
    for (const entry of entries.slice(-20)) console.log(`  ${JSON.stringify(entry)}`);
  }
  if (contradictions.length > 0) return 1;
  if (missing.length > 0) {
    console.log(`\nNothing was proved:\n  ${missing.join('\n  ')}`);
    return 3;
  }
  console.log('\nEvery promise was kept.');
  return 0;
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new Error(`--${name}: expected a number above 0, received ${text}`);
}
