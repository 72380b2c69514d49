import { ENDPOINTS, ERROR_CODES, ERRORS, type ErrorCode } from '@broadsheet/contract';
import type { Target } from './fault.ts';

/** The code a status stands for at an endpoint, the first of several. @throws RangeError when it has none */
export function codeFor(target: Target, status: number): ErrorCode {
  const codes: readonly ErrorCode[] = ENDPOINTS[target === '*' ? 'tags.list' : target].failures;
  const code = codes.find((candidate) => ERRORS[candidate].status === status);
  if (code) return code;
  const statuses = ERROR_CODES.filter((candidate) => codes.includes(candidate)).map((known) => ERRORS[known].status);
  throw new RangeError(
    `${target} never answers ${status} by its contract; it may fail with ${[...new Set(statuses)].join(', ')}`,
  );
}
