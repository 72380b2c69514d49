import { accept, type EndpointId, REQUESTS, type RequestRules } from '@broadsheet/contract';
import { readParams, readQuery } from '@broadsheet/core';
import { jsonOf, type WorldRequest } from '../doors/answer.ts';
import type { OpenCall } from './journal.ts';

/** The parts of a request that a call is written down from. */
interface Parts {
  readonly request: WorldRequest;
  readonly params: Readonly<Record<string, string>>;
  readonly search: URLSearchParams;
  readonly body: Uint8Array | undefined;
  readonly at: number;
}

/** A call with what the contract can read of it; what it cannot read is answered, and reported, by the API itself. */
export function openCall(endpoint: EndpointId, { request, params, search, body, at }: Parts): OpenCall {
  const { method, url, headers } = request;
  return {
    ...{ endpoint, method, url, headers, at },
    params: readParams(endpoint, params).value,
    query: readQuery(endpoint, search).value,
    body: body && readBody(endpoint, jsonOf(body as Uint8Array<ArrayBuffer>)),
    ...{ status: undefined, code: undefined, fault: undefined },
    // The rules of the endpoint made the parts; which endpoint it is, is known only at run time.
  } as OpenCall;
}

function readBody(id: EndpointId, input: unknown): unknown {
  const rule = (REQUESTS[id] as RequestRules).body;
  const result = rule && accept(rule, input);
  return result?.ok ? result.value : undefined;
}

/** A problem for each query parameter that the endpoint does not have: the API ignores it, and a typo goes unseen. */
export function unknownParameters(id: EndpointId, search: URLSearchParams): string[] {
  const known = Object.keys((REQUESTS[id] as RequestRules).query?.fields ?? {});
  const unknown = [...new Set(search.keys())].filter((name) => !known.includes(name));
  return unknown.map(
    (name) => `${name}: ${id} has no such query parameter${known.length > 0 ? `; it has ${known.join(', ')}` : ''}`,
  );
}
