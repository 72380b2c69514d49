import { ENDPOINTS, type Endpoint, type EndpointId } from '@broadsheet/contract';
import { MESSAGES, validate } from '@broadsheet/contract/schemas';
import type { WorldResponse } from '../doors/response.ts';
import type { AnswerChange } from '../faults/fault-rule.ts';
import type { JournalEntry } from '../journal/journal.ts';
import type { OffContract } from '../journal/off-contract.ts';
import { readJson } from './apply-lens.ts';

/** The call that a response belongs to. */
interface Answered {
  readonly entry: JournalEntry;
  /** Collects the changes that the contract does not allow. */
  readonly report: OffContract[];
}

/**
 * Changes the data of a success, or responds with another status and body.
 *
 * @throws Error for a change that the contract does not allow; the caller of the API receives it instead of a response
 */
export async function changeAnswer(
  { change, status, headers, offContract = false }: AnswerChange,
  response: WorldResponse,
  { entry, report }: Answered,
): Promise<WorldResponse> {
  const { endpoint, method, url } = entry;
  const body: unknown = readJson(response);
  const bare = (ENDPOINTS[endpoint] as Endpoint).form === 'bare';
  const data = response.status >= 400 ? undefined : bare ? body : (body as { data?: unknown } | undefined)?.data;
  if (data === undefined && status === undefined) return response;
  const changed = typeof change === 'function' ? await change(data, entry) : patch(data, change, status);
  if (status !== undefined) return responseOf(response, { status, headers, body: changed });
  const found = offContract ? [] : problemsOf(endpoint, changed);
  const problems = found.map((problem) => `world.answer('${endpoint}'): ${problem}`);
  if (problems.length > 0) {
    report.push({ method, url, problems });
    throw new Error(`world.answer('${endpoint}'): ${found.join('; ')}. Pass { offContract: true } to send it anyway.`);
  }
  return responseOf(response, { headers, body: bare ? changed : { ...(body as object), data: changed } });
}

/** With a status, the change is the whole body. */
const patch = (before: unknown, change: unknown, status: number | undefined): unknown =>
  status === undefined ? merge(before, change) : change;

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

function responseOf(
  before: WorldResponse,
  { status = before.status, headers = {}, body }: Partial<AnswerChange> & { readonly body: unknown },
): WorldResponse {
  // The ETag identifies the response of the API, not the changed one.
  const { etag: _, ...rest } = before.headers;
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { status, headers: { ...rest, ...Object.fromEntries(named) }, body: text };
}

/** How the data of an endpoint deviates from the contract. */
function problemsOf(endpoint: EndpointId, data: unknown): string[] {
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
