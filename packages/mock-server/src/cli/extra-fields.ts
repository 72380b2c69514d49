import { ENDPOINTS, type Endpoint, type EndpointId, findRoute } from '@broadsheet/contract';
import { ErrorEnvelope, MESSAGES, type Message, validate } from '@broadsheet/contract/schemas';

/** The response without the fields that the contract does not have. */
export async function withoutExtraFields(request: Request, response: Response, baseUrl: string): Promise<Response> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  if (body === undefined) return response;
  const { pathname } = new URL(request.url);
  const route = findRoute(request.method, pathname.slice(new URL(baseUrl).pathname.replace(/\/$/, '').length));
  const known = !response.ok
    ? read(ErrorEnvelope, body)
    : route.found === 'endpoint'
      ? knownFields(route.id, body)
      : body;
  // Without extra fields the response keeps its original bytes.
  if (JSON.stringify(known).length === JSON.stringify(body).length) return response;
  return new Response(JSON.stringify(known), { status: response.status, headers: response.headers });
}

function knownFields(id: EndpointId, body: unknown): unknown {
  const message: Message = MESSAGES[id];
  if ((ENDPOINTS[id] as Endpoint).form === 'bare') return read(message.data, body);
  const { success, data, meta } = body as Readonly<Record<string, unknown>>;
  return { success, data: read(message.data, data), ...(message.meta && { meta: read(message.meta, meta) }) };
}

/** Parses a value, which drops fields that the schema does not have; an invalid value is returned unchanged. */
function read(schema: Parameters<typeof validate>[0], value: unknown): unknown {
  const result = validate(schema, value);
  return result.ok ? result.value : value;
}
