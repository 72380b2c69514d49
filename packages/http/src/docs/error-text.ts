import { ERROR_CODES, ERRORS, type ErrorCode, REPAIRS } from '@broadsheet/contract';

/** What `error.docs` leads to where the documentation was not built: the cause and the repair of one code, or of each. */
export function errorText(code?: string): string | undefined {
  if (code === undefined) return ERROR_CODES.map(text).join('\n\n');
  return isErrorCode(code) ? text(code) : undefined;
}

function text(code: ErrorCode): string {
  return `${code} (${ERRORS[code].status})\n${ERRORS[code].summary}\n${REPAIRS[code]}`;
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERRORS, code);
}
