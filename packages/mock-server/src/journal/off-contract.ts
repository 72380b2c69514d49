/** A request that is off the contract, with the messages of the API. */
export interface OffContract {
  readonly method: string;
  readonly url: string;
  readonly problems: readonly string[];
}

/**
 * Thrown by `world.assertOnContract()`: the code under test sent requests that the API does not accept.
 *
 * @example
 * ```ts
 * try {
 *   world.assertOnContract();
 * } catch (error) {
 *   if (error instanceof OffContractError) console.log(error.requests.length);
 * }
 * ```
 */
export class OffContractError extends Error {
  override readonly name = 'OffContractError';
  readonly requests: readonly OffContract[];

  constructor(requests: readonly OffContract[]) {
    const lines = requests.flatMap(({ method, url, problems }) => [
      `  ${method} ${url}`,
      ...problems.map((problem) => `    ${problem}`),
    ]);
    const advice = 'Fix them or call world.forgive().';
    super([`${requests.length} request(s) are off the contract:`, ...lines, advice].join('\n'));
    this.requests = requests;
  }
}
