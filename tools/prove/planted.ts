import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PLANTED_FAULTS, type PlantedFault } from './planted-faults.ts';

// Plants one fault after another in a copy of the code, and reports whether the tool finds each:
// `node --conditions=@broadsheet/source tools/prove/planted.ts [part of a name]`

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The parts of the repository that a run needs. */
const PARTS = ['packages', 'tools', 'deploy', 'package.json'];
/**
 * Minutes of each attempt, each with its own seed; together they are the five minutes within which a fault must be
 * found.
 */
const ATTEMPTS = [1, 1.5, 2.5];

const [, , wanted = ''] = process.argv;
const missed: string[] = [];
for (const fault of PLANTED_FAULTS.filter(({ name }) => name.includes(wanted))) {
  const found = await find(fault);
  console.log(`${found ?? 'NOT FOUND'}: ${fault.name} (${fault.target})`);
  if (!found) missed.push(fault.name);
}
process.exitCode = missed.length > 0 ? 1 : 0;

/** After how many minutes it was found, and by which contradiction; `undefined` if it was not. */
async function find(fault: PlantedFault): Promise<string | undefined> {
  const copy = await mkdtemp(join(tmpdir(), 'broadsheet-planted-'));
  try {
    for (const part of PARTS) await cp(join(ROOT, part), join(copy, part), { recursive: true, verbatimSymlinks: true });
    await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
    const file = join(copy, fault.file);
    await writeFile(
      file,
      (await readFile(file, 'utf8')).replace(fault.text, () => fault.by),
    );
    let passed = 0;
    for (const minutes of ATTEMPTS) {
      passed += minutes;
      const output = await run(copy, fault, minutes);
      const [, promise] = /^Contradiction \(\d+ of \d+\): (.*)$/m.exec(output) ?? [];
      if (promise) return `found within ${passed} minutes, "${promise}"`;
      if (output.includes('Nothing was proved')) return `found within ${passed} minutes: nothing was proved`;
    }
    return undefined;
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

async function run(copy: string, { target }: PlantedFault, minutes: number): Promise<string> {
  const program = join(copy, 'tools/prove/main.ts');
  const options = ['--minutes', String(minutes), '--database', target, '--seed', String(Math.round(minutes * 10))];
  const child = spawn(process.execPath, ['--conditions=@broadsheet/source', program, ...options], { cwd: copy });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  await once(child, 'close');
  return output;
}
