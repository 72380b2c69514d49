import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { samplePaths } from '../docs/site/doors.ts';
import { SURROUNDINGS } from '../docs/site/surroundings.ts';
import { ENDPOINT_IDS } from '../packages/contract/src/index.ts';
import { sdkSample } from '../packages/contract/src/reference/samples.ts';
import { codeBlocks, documents, root } from './documents.ts';

// The TypeScript in every guide and README is compiled, so that they show the API as it is.

test('the TypeScript in the documents compiles', async () => {
  // The folder is inside the mock, so that the samples resolve the same copy of MSW as its handlers.
  const folder = join(root, 'packages/mock-server/node_modules/.cache/documents');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'surroundings.d.ts'), SURROUNDINGS);
  let blocks = 0;
  for (const document of documents) {
    for (const language of ['ts', 'tsx']) {
      for (const [index, code] of codeBlocks(document, language).entries()) {
        const name = `${document.path.replace(/\.md$/, '').replaceAll('/', '-')}-${index + 1}.${language}`;
        writeFileSync(join(folder, name), `${code}\nexport {};\n`);
        blocks += 1;
      }
    }
  }
  for (const id of ENDPOINT_IDS) {
    writeFileSync(join(folder, `sample-${id}.ts`), `${sdkSample(id, 'https://blog.example')}\nexport {};\n`);
  }
  expect(blocks).toBeGreaterThan(20);
  const compilerOptions = {
    lib: ['es2024', 'dom', 'dom.iterable', 'esnext.disposable'],
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
    jsx: 'react-jsx',
    noPropertyAccessFromIndexSignature: false,
    paths: samplePaths(),
  };
  const include = ['*.ts', '*.tsx'];
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: join(root, 'tsconfig.base.json'), compilerOptions, include }),
  );
  const tsc = promisify(execFile)(join(root, 'node_modules/.bin/tsc'), ['-p', folder]);
  const { stdout } = await tsc.catch((error: { stdout: string }) => error);
  // The panel's pages are written for Hono's JSX and checked by its own project; the guides use React's.
  const errors = stdout.replaceAll(/^packages\/panel\/.*\n(?: .*\n)*/gm, '');
  expect(errors).toBe('');
});
