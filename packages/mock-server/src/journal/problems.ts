import { ERRORS, REQUESTS, type RequestRules } from '@broadsheet/contract';
import type { ApiCall } from '@broadsheet/core';
import type { OpenEntry } from './journal.ts';

/** What the contract has against a call: parameters it does not know, and what the API refused of it. */
export function problemsOf(call: ApiCall, entry: OpenEntry | undefined): string[] {
  if (!entry) return [`the API has nothing at ${call.request.method} ${call.url.pathname}`];
  const { endpoint, status, code, fault } = entry;
  const known = Object.keys((REQUESTS[endpoint] as RequestRules).query?.fields ?? {});
  const unknown = [...new Set(call.url.searchParams.keys())].filter((name) => !known.includes(name));
  // The API ignores them, and a typo would go unseen.
  const problems = unknown.map(
    (name) =>
      `${name}: ${endpoint} has no such query parameter${known.length > 0 ? `; it has ${known.join(', ')}` : ''}`,
  );
  // What was not found, or must not be done, is no fault of the request.
  const refused = code !== undefined && ['request', 'field_validation'].includes(ERRORS[code].type);
  return refused && fault === undefined ? [...problems, call.error?.message ?? `status ${status}`] : problems;
}
