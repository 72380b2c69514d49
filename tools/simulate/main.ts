import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createRandom } from '../prove/random.ts';
import { SIMULATION_RULES } from './rules.ts';
import { type Failure, Simulation } from './simulate.ts';

const USAGE = `Usage: pnpm simulate [--seconds 60] [--seed TEXT] [--only NUMBER] [--once] [--first] [--keep]
                    [--least 0] [--histories 1000000]

Runs the product in one process under a schedule that a seed decides, and compares everything that is counted with the
law of counting. Each history is run twice; --once runs it once. The seeds of tools/simulate/corpus.json come first;
--keep adds those that fail, and --first stops at the first of them. --seed starts from a text, such as a date; --only
runs a single seed. --least and --histories bound the number of histories, whatever the time. It ends with
  0  if every history agreed with the law
  1  if one did not; the shortest list of actions that shows it is printed
  2  if it could not run
  3  if a rule had no chance to fail
`;
const CORPUS = fileURLToPath(new URL('corpus.json', import.meta.url));

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    only: { type: 'string' },
    once: { type: 'boolean', default: false },
    first: { type: 'boolean', default: false },
    least: { type: 'string', default: '0' },
    histories: { type: 'string', default: '1000000' },
    keep: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) console.log(USAGE);
else process.exitCode = await simulate();

async function simulate(): Promise<number> {
  const simulation = new Simulation();
  const corpus = JSON.parse(readFileSync(CORPUS, 'utf8')) as number[];
  const began = performance.now();
  try {
    for (const seed of seedsOf(corpus, began)) {
      const failure = await simulation.run(seed, !values.once);
      if (failure) show(failure);
      if (failure && values.first) break;
      if (failure && values.keep && !corpus.includes(seed)) corpus.push(seed);
    }
  } finally {
    simulation.close();
  }
  if (values.keep) writeFileSync(CORPUS, `${JSON.stringify(corpus)}\n`);
  return conclude(simulation, (performance.now() - began) / 1000);
}

/** The seeds of the corpus, and then new ones until the time is over. */
function* seedsOf(corpus: readonly number[], began: number): Generator<number> {
  if (values.only !== undefined) return yield Number(values.only);
  yield* corpus;
  const random = createRandom(0).fork(values.seed);
  for (let count = corpus.length; count < Number(values.histories); count += 1) {
    const isLate = performance.now() - began > Number(values.seconds) * 1000;
    if (isLate && count >= Number(values.least)) return;
    yield random.below(2 ** 31);
  }
}

function show({ seed, problems, steps }: Failure): void {
  console.log(`\nSeed ${seed} contradicts the law:`);
  for (const { rule, text } of problems.slice(0, 10)) console.log(`  ${rule}: ${text}`);
  console.log(`These ${steps.length} actions are enough:`);
  for (const step of steps) console.log(`  ${JSON.stringify(step)}`);
  console.log(`To repeat it: pnpm simulate --only ${seed}`);
}

function conclude({ report }: Simulation, seconds: number): number {
  const { histories, decisions, kills, passed, chances, failures } = report;
  const days = Math.round(passed / 86_400_000);
  const rate = Math.round((histories / seconds) * 60);
  console.log(
    `\n${histories} histories (seed ${values.seed}) in ${seconds.toFixed(1)} s, ${rate} a minute: ${days} days,`,
  );
  console.log(`${decisions} decisions, ${kills} processes killed. How often each rule had a chance to fail:`);
  for (const rule of SIMULATION_RULES) console.log(`  ${chances.get(rule) ?? 'never'}: ${rule}`);
  if (failures.length > 0) return 1;
  const idle = SIMULATION_RULES.filter((rule) => !chances.has(rule));
  if (idle.length > 0 && values.only === undefined) {
    console.log('\nNothing was proved about rules that had no chance to fail.');
    return 3;
  }
  console.log('\nEvery history agreed with the law.');
  return 0;
}
