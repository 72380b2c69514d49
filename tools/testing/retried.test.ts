import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from './folder.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const folder = temporaryFolder();

/** Runs tests of which the first `flaky` pass only at their second attempt. */
async function runFlaky(flaky: number): Promise<{ code: unknown; output: string }> {
  await symlink(join(ROOT, 'node_modules'), folder.join('node_modules')).catch(() => undefined);
  await writeFile(
    folder.join('flaky.test.ts'),
    `import { expect, test } from 'vitest';
    test('steady', () => expect(1).toBe(1));
    for (let number = 0; number < ${flaky}; number += 1) {
      let attempts = 0;
      test('flaky ' + number, () => expect(++attempts).toBe(2));
    }`,
  );
  await writeFile(
    folder.join('vitest.config.ts'),
    `import { Retried } from ${JSON.stringify(join(import.meta.dirname, 'retried.ts'))};
    export default { test: { retry: 1, reporters: ['dot', new Retried()] } };`,
  );
  const child = spawn(process.execPath, [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', '--root', folder.path]);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const [code] = await once(child, 'close');
  return { code, output };
}

test('tests that pass only when they are repeated are listed, and three of them fail the run', async () => {
  const steady = await runFlaky(0);
  expect(steady, steady.output).toMatchObject({ code: 0, output: expect.not.stringContaining('when repeated') });
  const two = await runFlaky(2);
  expect(two, two.output).toMatchObject({ code: 0, output: expect.stringContaining('flaky.test.ts > flaky 1') });
  const three = await runFlaky(3);
  expect(three, three.output).toMatchObject({ code: 1, output: expect.stringContaining('3 fail the run') });
});
