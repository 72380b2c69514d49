import { ENDPOINTS, ERROR_CODES, ERRORS, type ErrorCode } from '@broadsheet/contract';
import type { Target } from './fault.ts';

/**
 * The code a status stands for at an endpoint: the one that is wanted, or the first of several.
 *
 * @throws RangeError when the endpoint has none such
 */
export function codeFor(target: Target, status: number, wanted?: ErrorCode): ErrorCode {
  const codes: readonly ErrorCode[] = ENDPOINTS[target === '*' ? 'tags.list' : target].failures;
  const fitting = codes.filter((candidate) => ERRORS[candidate].status === status);
  const code = wanted === undefined ? fitting[0] : fitting.find((candidate) => candidate === wanted);
  if (code) return code;
  if (fitting.length > 0) {
    throw new RangeError(
      `${target} never answers ${status} with ${JSON.stringify(wanted)}; it has ${fitting.join(', ')}`,
    );
  }
  const statuses = ERROR_CODES.filter((candidate) => codes.includes(candidate)).map((known) => ERRORS[known].status);
  throw new RangeError(
    `${target} never answers ${status} by its contract; it may fail with ${[...new Set(statuses)].join(', ')}`,
  );
}
