import type { Reporter, TestModule } from 'vitest/node';

/** So many tests that pass only when they are repeated fail the run: a busy machine does not explain them. */
const TOO_MANY = 3;

/** Lists the tests that passed only at their second attempt at the end of a run, and fails the run if they are many. */
export class Retried implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const retried = modules.flatMap(({ relativeModuleId, children }) =>
      [...children.allTests('passed')]
        .filter((test) => (test.diagnostic()?.retryCount ?? 0) > 0)
        .map((test) => {
          const [error] = test.result().errors ?? [];
          return `  ${relativeModuleId} > ${test.fullName}${error ? `\n    ${error.message.split('\n')[0]}` : ''}`;
        }),
    );
    if (retried.length === 0) return;
    const isFailure = retried.length >= TOO_MANY;
    console.error(
      `\nPassed only when repeated (${retried.length}${isFailure ? `, and ${TOO_MANY} fail the run` : ''}):\n${retried.join('\n')}\n`,
    );
    if (isFailure) process.exitCode = 1;
  }
}
