import * as z from 'zod/mini';
import { ENDPOINT_IDS, ENDPOINTS, type Endpoint, type EndpointId } from '../endpoints.ts';
import { ERRORS, type ErrorCode, errorEnvelope } from '../errors.ts';
import { FilledAd } from '../schemas/ad.ts';
import { type ErrorEnvelope, FieldError } from '../schemas/error-envelope.ts';
import { MESSAGES, type Message } from '../schemas/messages.ts';

/** An example of a schema, from the examples of its fields. Fields without one, such as those of a summary, are omitted. */
function exampleOf(schema: z.core.$ZodType): unknown {
  const [example] = (z.globalRegistry.get(schema)?.['examples'] ?? []) as readonly unknown[];
  if (example !== undefined) return example;
  if (schema instanceof z.ZodMiniArray) return [exampleOf(schema.def.element)];
  if (schema instanceof z.ZodMiniDiscriminatedUnion) return exampleOf(schema.def.options[0] as z.core.$ZodType);
  if (schema instanceof z.ZodMiniLiteral) return schema.def.values[0];
  if (!(schema instanceof z.ZodMiniObject)) return undefined;
  const fields = Object.entries(schema.shape).map(([name, field]) => [name, exampleOf(field)] as const);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

/** A success of each endpoint, as the server sends it. */
export const RESPONSES = Object.fromEntries(
  ENDPOINT_IDS.map((id) => {
    const { form }: Endpoint = ENDPOINTS[id];
    const { data: schema, meta }: Message = MESSAGES[id];
    const data = exampleOf(schema);
    return [id, form === 'bare' ? data : { success: true, data, ...(meta && { meta: exampleOf(meta) }) }];
  }),
) as Readonly<Record<EndpointId, unknown>>;

/** A body for each endpoint that takes one. */
export const BODIES: Readonly<Partial<Record<EndpointId, unknown>>> = {
  'ads.deliverBatch': {
    slots: [
      { slotId: 'top', format: 'BANNER' },
      { slotId: 'side', format: 'SIDEBAR' },
    ],
  },
  'ads.click': { clickToken: exampleOf(FilledAd.shape.clickToken) },
};

/** A failure as the server sends it. */
export function errorExample(code: ErrorCode, docsUrl = 'https://blog.example'): ErrorEnvelope {
  return errorEnvelope(code, {
    message: ERRORS[code].summary,
    fields: code === 'VALIDATION_ERROR' ? [z.parse(FieldError, exampleOf(FieldError))] : undefined,
    requestId: 'req_7c9e6679-7425-40de-944b-e07fc1f90ae7',
    docsUrl,
  });
}
