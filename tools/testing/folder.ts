import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, onTestFinished, TestRunner } from 'vitest';

/** A directory of its own for a test or for a group of tests. */
export interface TemporaryFolder {
  /** Where it is; it is made when this is read first. */
  readonly path: string;
  /** The path of a file or folder in it, whether there is one or not. */
  join(...names: readonly string[]): string;
  /** Writes files by their path in it, with the folders they need, and returns its own path. */
  write(files: Readonly<Record<string, string | Uint8Array>>): Promise<string>;
}

/** Makes a folder under the system's place for temporary files; it goes with the test, or the group, that asked for it. */
export function temporaryFolder(): TemporaryFolder {
  let made: string | undefined;
  const remove = () => {
    if (made !== undefined) rmSync(made, { recursive: true, force: true });
    made = undefined;
  };
  if (TestRunner.getCurrentTest()) onTestFinished(remove);
  else afterAll(remove);
  const folder: TemporaryFolder = {
    get path() {
      made ??= mkdtempSync(join(tmpdir(), 'broadsheet-test-'));
      return made;
    },
    join: (...names) => join(folder.path, ...names),
    async write(files) {
      for (const [name, content] of Object.entries(files)) {
        await mkdir(dirname(folder.join(name)), { recursive: true });
        await writeFile(folder.join(name), content);
      }
      return folder.path;
    },
  };
  return folder;
}
