import { expect, onTestFinished, test } from 'vitest';
import { find, inWorkerd, RUNTIMES, type Runtime, runIn } from './runtime.ts';
import type { Report } from './scenario.ts';
import { expected, uglyServer } from './ugly-server.ts';

// The same program, with the same results in every runtime.

async function check(run: (url: string) => Promise<Report>, report: Report): Promise<void> {
  const server = await uglyServer();
  onTestFinished(server.close);
  expect(await run(server.url)).toEqual(report);
  expect(server.leaks()).toBe(0);
}

/** The executable. If it is missing, the test fails in CI, and is skipped with a message elsewhere. */
function inRuntime(runtime: Runtime): { executable: string; missing: boolean } {
  const executable = find(runtime);
  if (executable) return { executable, missing: false };
  if (process.env['REQUIRE_RUNTIMES']) throw new Error(`${runtime} is not installed: .ci/install shows how to get it`);
  console.warn(`\n*** SKIPPED: ${runtime} is not installed: the client is not run in it ***\n`);
  return { executable: '', missing: true };
}

/** A page cannot set the headers of a visitor, or see the target of a redirect. */
const inPages: Report = {
  visitor: 'gave nobody',
  moved: 'RedirectError REDIRECT_REFUSED in response',
};

for (const runtime of RUNTIMES) {
  const { executable, missing } = inRuntime(runtime);
  test.skipIf(missing)(`the client behaves the same in ${runtime}, by fetch and by ky`, () =>
    check((url) => runIn(runtime, executable, url), expected(runtime === 'chromium' ? inPages : {})),
  );
  if (runtime === 'workerd') {
    test.skipIf(missing)('the client behaves the same in a workerd without support for cache modes', () =>
      check((url) => inWorkerd(executable, url, '2023-01-01'), expected()),
    );
  }
}
