import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { SIMULATED_FAULTS, type SimulatedFault } from './planted-faults.ts';

// Plants one fault after another in a copy of the code, and says which rule finds it, and with which seed; --write puts
// the table into docs/reliability.md:
// `node tools/simulate/planted.ts [--from 0] [--to 99] [--seconds 300] [--write]`

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PARTS = ['packages', 'tools', 'package.json'];
const { values } = parseArgs({
  options: {
    from: { type: 'string', default: '0' },
    to: { type: 'string', default: '99' },
    seconds: { type: 'string', default: '300' },
    write: { type: 'boolean', default: false },
  },
});

const copy = await mkdtemp(join(tmpdir(), 'broadsheet-planted-'));
const rows: string[] = [];
try {
  for (const part of PARTS) await cp(join(ROOT, part), join(copy, part), { recursive: true, verbatimSymlinks: true });
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  for (const fault of SIMULATED_FAULTS.slice(Number(values.from), Number(values.to))) {
    rows.push(`| ${fault.name} | ${await find(fault)} |`);
    console.log(rows.at(-1));
  }
} finally {
  await rm(copy, { recursive: true, force: true });
}
if (values.write) await writeTable();
process.exitCode = rows.some((row) => row.includes('not found')) ? 1 : 0;

async function writeTable(): Promise<void> {
  const page = join(ROOT, 'docs/reliability.md');
  const table = ['| Fault | Rule that finds it | Seed | Histories |', '|---|---|---|---|', ...rows].join('\n');
  const text = await readFile(page, 'utf8');
  await writeFile(page, text.replace(/(?<=<!-- planted faults -->)[\s\S]*(?=<!-- end of)/, `\n\n${table}\n\n`));
}

/** The rule that finds a fault, the seed that shows it, and how many histories that took. */
async function find({ file, text, by }: SimulatedFault): Promise<string> {
  const path = join(copy, file);
  const original = await readFile(path, 'utf8');
  await writeFile(
    path,
    original.replace(text, () => by),
  );
  try {
    const program = join(copy, 'tools/simulate/main.ts');
    const options = ['--seconds', values.seconds, '--seed', 'planted', '--once', '--first', '--histories', '1000'];
    const child = spawn(process.execPath, ['--conditions=@broadsheet/source', program, ...options], { cwd: copy });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (data) => (output += data));
    await once(child, 'close');
    const [, seed, rule] = /Seed (\d+) contradicts the law:\n {2}([^:]+):/.exec(output) ?? [];
    const [, histories] = /^(\d+) histories/m.exec(output) ?? [];
    return seed === undefined ? `not found in ${histories} | | ` : `${rule} | ${seed} | ${histories}`;
  } finally {
    await writeFile(path, original);
  }
}
