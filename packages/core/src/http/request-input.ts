import { accept, type EndpointId, REQUESTS, type RecordRule, type RequestRules } from '@broadsheet/contract';
import { Failure } from './failure.ts';

/**
 * Decodes the parameters of a path.
 *
 * @throws Failure `VALIDATION_ERROR` for an escape that is not UTF-8, or a value outside of its rules.
 */
export function readParams(id: EndpointId, encoded: Readonly<Record<string, string>>): unknown {
  const rule = (REQUESTS[id] as RequestRules).params;
  if (!rule) return undefined;
  const params: Record<string, string> = {};
  for (const [name, text] of Object.entries(encoded)) params[name] = decode(name, text);
  return readBy(rule, params);
}

function decode(name: string, text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    const message = `${name}: ${JSON.stringify(text)} holds a malformed percent-escape`;
    throw new Failure('VALIDATION_ERROR', { fields: [{ field: name, message, code: 'invalid_encoding' }] });
  }
}

/**
 * Reads the query parameters the endpoint knows; others are ignored.
 *
 * @throws Failure `VALIDATION_ERROR` for a value out of bounds or given more than once.
 */
export function readQuery(id: EndpointId, search: URLSearchParams): unknown {
  const rule = (REQUESTS[id] as RequestRules).query;
  if (!rule) return undefined;
  const query: Record<string, string | string[]> = {};
  for (const name of Object.keys(rule.fields)) {
    const values = search.getAll(name);
    const [first] = values;
    if (first !== undefined) query[name] = values.length === 1 ? first : values;
  }
  return readBy(rule, query);
}

/** Reads a parsed body by the rules of the endpoint. @throws Failure `VALIDATION_ERROR` */
export function readBody(id: EndpointId, body: unknown): unknown {
  const rule = (REQUESTS[id] as RequestRules).body;
  return rule ? readBy(rule, body) : undefined;
}

function readBy(rule: RecordRule, input: unknown): unknown {
  const result = accept(rule, input);
  if (!result.ok) throw new Failure('VALIDATION_ERROR', { fields: result.fields });
  return result.value;
}
