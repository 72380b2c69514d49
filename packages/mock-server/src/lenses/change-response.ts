import { ENDPOINTS, type Endpoint, type EndpointId, type Pagination } from '@broadsheet/contract';
import { MESSAGES, validate } from '@broadsheet/contract/schemas';
import { bodyOf, type WorldResponse } from '../doors/response.ts';
import type { AnswerChange } from '../faults/fault.ts';
import type { JournalEntry } from '../journal/journal.ts';
import type { OffContract } from '../journal/off-contract.ts';
import type { Lens, Point } from './lens.ts';
import { type PickMutation, rewrite } from './rewrite.ts';
import { chooses, fieldVariation, pointOfLens, UNWRAPPED } from './variations.ts';

/** Applies a lens to a success, or to a validation error of an unwrapped search; leaves other responses unchanged. */
export function throughLens(lens: Lens | Point, id: EndpointId, response: WorldResponse): WorldResponse {
  const body = bodyOf(response);
  if (typeof body !== 'object') return response;
  const point = pointOfLens(lens);
  const pick: PickMutation = (path, mutations) => {
    const chosen = mutations.filter((mutation) => chooses(point, fieldVariation(id, path, mutation)));
    // Chooses by the path, so that the fields of a response get different mutations.
    const turn = [...path].reduce((sum, char) => sum + char.charCodeAt(0), 0);
    const mutation = chosen[turn % (chosen.length || 1)];
    if (mutation) point.seen?.add(fieldVariation(id, path, mutation));
    return mutation;
  };
  const isSuccess = response.status < 400;
  const rewritten = isSuccess ? withData(id, body, rewrite(MESSAGES[id].data, dataOf(id, body), pick)) : body;
  if (!chooses(point, UNWRAPPED)) return changed(response, { body: rewritten });
  point.seen?.add(UNWRAPPED);
  return changed(response, { body: isBare(id) ? rewritten : unwrap(id, response.status, rewritten as Envelope) });
}

/**
 * Changes the data of a success, or responds with another status and body. `report` collects the changes that the
 * contract does not allow.
 *
 * @throws Error for a change that the contract does not allow; the caller of the API receives it instead of a response
 */
export async function changeAnswer(
  { change, status, headers, offContract = false }: AnswerChange,
  response: WorldResponse,
  { entry, report }: { readonly entry: JournalEntry; readonly report: OffContract[] },
): Promise<WorldResponse> {
  const { endpoint, method, url } = entry;
  const body = bodyOf(response);
  const data = response.status < 400 && body !== undefined ? dataOf(endpoint, body) : undefined;
  if (data === undefined && status === undefined) return response;
  // With a status, the change is the whole body.
  const patched = () => (status === undefined ? merge(data, change) : change);
  const sent: unknown = typeof change === 'function' ? await change(data, entry) : patched();
  if (status !== undefined) return changed(response, { status, headers, body: sent });
  const problems = offContract ? [] : dataProblems(endpoint, sent);
  if (problems.length > 0) {
    const name = `world.answer('${endpoint}')`;
    report.push({ method, url, problems: problems.map((problem) => `${name}: ${problem}`) });
    throw new Error(`${name}: ${problems.join('; ')}. Pass { offContract: true } to send it anyway.`);
  }
  return changed(response, { headers, body: withData(endpoint, body, sent) });
}

const isBare = (id: EndpointId): boolean => (ENDPOINTS[id] as Endpoint).form === 'bare';
const dataOf = (id: EndpointId, body: unknown): unknown => (isBare(id) ? body : (body as Envelope).data);
const withData = (id: EndpointId, body: unknown, data: unknown): unknown =>
  isBare(id) ? data : { ...(body as Envelope), data };

/** The body of a response that is not bare: a success, or a failure. */
interface Envelope {
  readonly data: unknown;
  readonly meta?: { readonly pagination: Pagination };
  readonly error: { readonly message: string };
}

/** The variant of the content endpoints without the success envelope (api.md 4.8). */
function unwrap(id: EndpointId, status: number, body: Envelope): unknown {
  const { data, meta, error } = body;
  if (status >= 400) return id === 'search' && status === 400 ? { error: error.message } : body;
  if (!meta) return data;
  const { total, page, pageSize, totalPages } = meta.pagination;
  return { posts: data, total, page, pageSize, totalPages };
}

/** A response with another body; a string is sent as it is. */
function changed(
  before: WorldResponse,
  { status = before.status, headers = {}, body }: Partial<AnswerChange> & { readonly body: unknown },
): WorldResponse {
  // The ETag identifies the response of the API, not the changed one.
  const { etag: _, ...rest } = before.headers;
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { status, headers: { ...rest, ...Object.fromEntries(named) }, body: text };
}

/** A JSON merge patch (RFC 7396). */
function merge(before: unknown, change: unknown): unknown {
  if (!isObject(change)) return change;
  const merged = isObject(before) ? { ...before } : {};
  for (const [name, value] of Object.entries(change)) {
    if (value === null) delete merged[name];
    else merged[name] = merge(merged[name], value);
  }
  return merged;
}

/** How the data of an endpoint deviates from the contract. */
function dataProblems(endpoint: EndpointId, data: unknown): string[] {
  const read = validate(MESSAGES[endpoint].data, data);
  return read.ok ? extraFields(data, read.value, '') : read.fields.map(({ message }) => message);
}

/** The fields that a schema does not know: parsing drops them. */
function extraFields(given: unknown, read: unknown, path: string): string[] {
  if (Array.isArray(given))
    return given.flatMap((item, index) => extraFields(item, (read as unknown[])[index], `${path}${index}.`));
  if (!isObject(given) || !isObject(read)) return [];
  return Object.keys(given).flatMap((name) =>
    Object.hasOwn(read, name)
      ? extraFields(given[name], read[name], `${path}${name}.`)
      : [`${path}${name}: is not a field of the contract`],
  );
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
