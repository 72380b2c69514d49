import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** Runs the tool in a process of its own, because it replaces the randomness of its process. */
async function simulate(...options: readonly string[]) {
  const program = fileURLToPath(new URL('main.ts', import.meta.url));
  const child = spawn(process.execPath, ['--conditions=@broadsheet/source', program, ...options]);
  const [[code], output, errors] = await Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)]);
  return { code, output: output + errors };
}

/** The nightly job passes the date, so that every night tries histories that nobody has tried. */
const SEED = process.env['SIMULATION_SEED'] ?? 'test';

test('the product counts as the law says, in histories that a seed decides', { timeout: 180_000 }, async () => {
  const { code, output } = await simulate('--seconds', '8', '--least', '20', '--histories', '200', '--seed', SEED);
  expect(output).toContain('Every history agreed with the law.');
  expect(code).toBe(0);
});
