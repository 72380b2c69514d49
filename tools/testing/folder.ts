import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, onTestFinished, TestRunner } from 'vitest';

/** A temporary directory for one test or for a group of tests. */
export interface TemporaryFolder {
  /** Its path. The directory is created when this is first read. */
  readonly path: string;
  /** The path of a file or folder in it, which need not exist. */
  join(...names: readonly string[]): string;
  /** Writes files by their path in the directory, creates parent folders, and returns the path of the directory. */
  write(files: Readonly<Record<string, string | Uint8Array>>): Promise<string>;
}

/** Creates a folder for temporary files, which is removed after the test or the group that called this. */
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
