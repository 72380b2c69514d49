import { ERRORS, REQUESTS, type RequestRules } from '@broadsheet/contract';
import type { ApiCall } from '@broadsheet/core';

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
    super([`Requests off the contract (${requests.length}):`, ...lines, advice].join('\n'));
    this.requests = requests;
  }
}

/** How a call deviates from the contract: its unknown parameters, and what the API refused unless a fault did. */
export function requestProblems({ endpoint, error, request, url }: ApiCall, fault: string | undefined): string[] {
  if (!endpoint) return [`the API has no endpoint ${request.method} ${url.pathname}`];
  const known = Object.keys((REQUESTS[endpoint] as RequestRules).query?.fields ?? {});
  // Creating `searchParams` is slow.
  const sent = url.search === '' ? [] : [...new Set(url.searchParams.keys())];
  const unknown = sent.filter((name) => !known.includes(name));
  // The API ignores unknown parameters, so a typo would go unnoticed.
  const problems = unknown.map(
    (name) =>
      `${name}: ${endpoint} has no such query parameter${known.length > 0 ? `; it has ${known.join(', ')}` : ''}`,
  );
  // A request for something that does not exist, or is not allowed, is still a valid request.
  const refused = error && fault === undefined && ['request', 'field_validation'].includes(ERRORS[error.code].type);
  return refused ? [...problems, error.message] : problems;
}
