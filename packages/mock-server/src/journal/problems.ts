import { ERRORS, REQUESTS, type RequestRules } from '@broadsheet/contract';
import type { ApiCall } from '@broadsheet/core';
import type { OpenEntry } from './journal.ts';

/** How a call deviates from the contract: its unknown parameters, and what the API refused. */
export function problemsOf(call: ApiCall, entry: OpenEntry | undefined): string[] {
  if (!entry) return [`the API has no endpoint ${call.request.method} ${call.url.pathname}`];
  const { endpoint, status, code, fault } = entry;
  const known = Object.keys((REQUESTS[endpoint] as RequestRules).query?.fields ?? {});
  const unknown = [...new Set(call.url.searchParams.keys())].filter((name) => !known.includes(name));
  // The API ignores unknown parameters, so a typo would go unnoticed.
  const problems = unknown.map(
    (name) =>
      `${name}: ${endpoint} has no such query parameter${known.length > 0 ? `; it has ${known.join(', ')}` : ''}`,
  );
  // A request for something that does not exist, or is not allowed, is still a valid request.
  const refused = code !== undefined && ['request', 'field_validation'].includes(ERRORS[code].type);
  return refused && fault === undefined ? [...problems, call.error?.message ?? `status ${status}`] : problems;
}
