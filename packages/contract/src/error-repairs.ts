import { ERROR_CODES, ERRORS, type ErrorCode } from './errors.ts';
import { LIMITS } from './limits.ts';

/** How to fix each failure: for its page in the docs; no response carries it. */
export const REPAIRS: Readonly<Record<ErrorCode, string>> = {
  VALIDATION_ERROR:
    'Read `details.fields`: each entry names the field, what is wrong with it and a code. Correct it and send the request again.',
  INVALID_JSON: 'Send the body through `JSON.stringify` or an equal, encoded in UTF-8.',
  CLICK_TOKEN_INVALID: 'Send the `clickToken` exactly as the delivery returned it, with the same API key.',
  CLICK_TOKEN_EXPIRED: 'Ask for an ad again; a token lives ten minutes from its delivery.',
  UNAUTHORIZED:
    'Send the key of the blog in the `X-API-Key` header. If the key was rotated, use the new one. A preview needs the token of its link in `Authorization: Bearer TOKEN`; a link lasts 24 hours, then create another.',
  ORIGIN_NOT_ALLOWED:
    'Send the click from a page of the blog, or add the domain of the page to the blog. A proxy must pass `Origin` or `Referer` on.',
  NOT_FOUND: 'Check the id, slug or path. Drafts and scheduled posts answer as if they did not exist.',
  METHOD_NOT_ALLOWED: 'Use one of the methods that the `Allow` header lists.',
  CLICK_TOKEN_USED: 'Nothing needs to be fixed: the click was registered before. A token is good for one click.',
  PAYLOAD_TOO_LARGE: `Send bodies of at most ${LIMITS.body / 1024} KiB; split a batch of slots into several requests.`,
  UNSUPPORTED_MEDIA_TYPE: 'Send the header `Content-Type: application/json`.',
  RATE_LIMITED: 'Wait for the seconds of the `Retry-After` header, then go on more slowly.',
  INTERNAL_ERROR: 'Try again with growing pauses. If it lasts, report the `requestId`.',
  UNAVAILABLE: 'Wait for the seconds of the `Retry-After` header and try again.',
};

/** What went wrong and how to fix it, for one code or for all of them; `undefined` for an unknown code. */
export function errorText(code?: string): string | undefined {
  const codes = ERROR_CODES.filter((known) => code === undefined || known === code);
  if (codes.length === 0) return undefined;
  return codes
    .map((each) => `${each} (${ERRORS[each].status})\n${ERRORS[each].summary}\n${REPAIRS[each]}`)
    .join('\n\n');
}
