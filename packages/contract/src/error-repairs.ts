import { ERROR_CODES, ERRORS, type ErrorCode } from './errors.ts';
import { LIMITS } from './limits.ts';

/** How to fix each error, for its page in the documentation. Responses do not contain these texts. */
export const REPAIRS: Readonly<Record<ErrorCode, string>> = {
  VALIDATION_ERROR:
    'Read `details.fields`: each entry names the field, what is wrong with it and a code. Correct it and send the request again.',
  INVALID_JSON: 'Send the body as JSON, encoded in UTF-8; `JSON.stringify` writes it.',
  CLICK_TOKEN_INVALID: 'Send the `clickToken` exactly as the delivery returned it, with the same API key.',
  CLICK_TOKEN_EXPIRED: 'Request another ad: a token expires ten minutes after its delivery.',
  UNAUTHORIZED:
    'Send the key of the blog in the `X-API-Key` header. If the key was rotated, use the new one. A preview needs the token of its link in `Authorization: Bearer TOKEN`. A preview link expires after 24 hours; create another one.',
  ORIGIN_NOT_ALLOWED:
    'Send the click from a page of the blog, or add the domain of the page to the blog. A proxy must forward `Origin` or `Referer`.',
  NOT_FOUND: 'Check the id or slug. Drafts and scheduled posts are not found either.',
  NO_SUCH_ENDPOINT:
    'Check the path, and that the base URL of the client is the URL of the API. An id or slug must be encoded, and a proxy must pass the path on as it is: a decoded `%2F` leads to another path.',
  METHOD_NOT_ALLOWED: 'Use one of the methods that the `Allow` header lists.',
  CLICK_TOKEN_USED: 'There is nothing to fix: the click was registered before. A token is valid for one click.',
  PAYLOAD_TOO_LARGE: `Send bodies of at most ${LIMITS.body / 1024} KiB; split a batch of slots into several requests.`,
  UNSUPPORTED_MEDIA_TYPE: 'Send the header `Content-Type: application/json`.',
  RATE_LIMITED: 'Wait for the number of seconds in the `Retry-After` header, and send fewer requests.',
  INTERNAL_ERROR: 'Try again, with longer and longer waits. If the error persists, report the `requestId`.',
  UNAVAILABLE: 'Wait for the number of seconds in the `Retry-After` header, and try again.',
};

/** What went wrong and how to fix it, for one code or for all of them; `undefined` for an unknown code. */
export function errorText(code?: string): string | undefined {
  const codes = ERROR_CODES.filter((known) => code === undefined || known === code);
  if (codes.length === 0) return undefined;
  return codes
    .map((each) => `${each} (${ERRORS[each].status})\n${ERRORS[each].summary}\n${REPAIRS[each]}`)
    .join('\n\n');
}
