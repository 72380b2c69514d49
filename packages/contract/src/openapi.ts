import * as z from 'zod/mini';
import { ENDPOINT_IDS, ENDPOINTS, type Endpoint, type EndpointId } from './endpoints.ts';
import { ERRORS, type ErrorCode } from './errors.ts';
import { FAILURES } from './failures.ts';
import { withoutTrailingSlashes } from './path.ts';
import { DESCRIPTIONS, INTRODUCTION, PARAMETERS, TAGS } from './reference/descriptions.ts';
import { BODIES, errorExample, RESPONSES } from './reference/examples.ts';
import { sdkSample } from './reference/samples.ts';
import {
  AdClickRequest,
  AdDeliveryRequest,
  AdDeliveryResult,
  AdDeliverySlotResult,
  AdTrackingResult,
} from './schemas/ad.ts';
import { ErrorEnvelope } from './schemas/error-envelope.ts';
import { MESSAGES, type Message } from './schemas/messages.ts';
import { PageMeta } from './schemas/pagination.ts';
import { Category, Post, PostSummary, Tag } from './schemas/post.ts';
import { SearchResponse } from './schemas/search.ts';

/** The URL and version of the API in the document. */
export interface OpenApiOptions {
  /** Base URL of the API; `/` by default. */
  readonly baseUrl?: string;
  readonly version?: string;
}

type Json = Record<string, unknown>;
/** An OpenAPI 3.1 document as plain JSON. */
export type OpenApiDocument = Json & { openapi: string; paths: Record<string, Json> };

const COMPONENTS: Record<string, z.ZodMiniType> = {
  Post,
  PostSummary,
  Category,
  Tag,
  PageMeta,
  SearchResponse,
  AdDeliveryResult,
  AdDeliverySlotResult,
  AdDeliveryRequest,
  AdClickRequest,
  AdTrackingResult,
  ErrorEnvelope,
};

/** The contract as an OpenAPI 3.1 document, generated from the endpoint table and the schemas. */
export function openapi({ baseUrl = '/', version = '1.0.0' }: OpenApiOptions = {}): OpenApiDocument {
  const paths: Record<string, Json> = {};
  for (const id of ENDPOINT_IDS) {
    const { path, method } = ENDPOINTS[id];
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation(id, baseUrl) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Broadsheet',
      version,
      description: INTRODUCTION,
      contact: { name: 'Broadsheet', url: `${withoutTrailingSlashes(baseUrl)}/docs/` },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    security: [{ apiKey: [] }],
    tags: TAGS,
    externalDocs: {
      description: 'Guides, and a page for every error',
      url: `${withoutTrailingSlashes(baseUrl)}/docs/`,
    },
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description: 'The key of the blog. It gives access only to published content and ads.',
        },
        previewToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'The token of a preview link. It gives access to one post only, for 24 hours.',
        },
      },
      schemas: Object.fromEntries(Object.entries(COMPONENTS).map(([name, schema]) => [name, jsonSchema(schema)])),
    },
  };
}

const ACCEPTED = {
  'Idempotency-Accepted': {
    description: '`true` on every response to a delivery with an idempotency key, and of `tracking/impression`.',
    schema: { const: 'true' },
  },
};
const DELIVERY_HEADERS = {
  ...ACCEPTED,
  'Idempotency-Replayed': {
    description: '`true` when the delivery was counted before, under the same key.',
    schema: { const: 'true' },
  },
};

function operation(id: EndpointId, baseUrl: string): Json {
  const endpoint: Endpoint = ENDPOINTS[id];
  const message: Message = MESSAGES[id];
  return {
    operationId: id,
    summary: DESCRIPTIONS[id].summary,
    description: DESCRIPTIONS[id].text,
    tags: [id.split('.')[0]],
    ...(id === 'preview' && { security: [{ previewToken: [] }] }),
    parameters: [...parameters('path', message.params), ...parameters('query', message.query)],
    ...(endpoint.body === 'required' &&
      message.body && { requestBody: { required: true, content: json(ref(message.body), { example: BODIES[id] }) } }),
    responses: {
      200: {
        description: 'Success',
        ...(endpoint.effect === 'delivery' && { headers: DELIVERY_HEADERS }),
        ...(id === 'ads.impression' && { headers: ACCEPTED }),
        content: json(success(endpoint, message), { example: RESPONSES[id] }),
      },
      ...failures(FAILURES[id], withoutTrailingSlashes(baseUrl)),
    },
    'x-codeSamples': [{ lang: 'TypeScript', label: '@broadsheet/sdk', source: sdkSample(id, baseUrl) }],
  };
}

function success(endpoint: Endpoint, { data, meta }: Message): Json {
  if (endpoint.form === 'bare') return ref(data);
  return {
    type: 'object',
    properties: { success: { const: true }, data: ref(data), ...(meta && { meta: ref(meta) }) },
    required: ['success', 'data', ...(meta ? ['meta'] : [])],
  };
}

function parameters(place: 'path' | 'query', schema: z.ZodMiniObject | undefined): Json[] {
  return Object.entries(schema?.shape ?? {}).map(([name, field]) => ({
    name,
    in: place,
    required: !z.safeParse(field, undefined).success,
    description: PARAMETERS[name]?.text,
    schema: jsonSchema(field as z.ZodMiniType),
    example: PARAMETERS[name]?.example,
  }));
}

function failures(codes: readonly ErrorCode[], docsUrl: string): Json {
  const byStatus = Map.groupBy(codes, (code) => ERRORS[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      status,
      {
        description: group
          .map((code) => `[\`${code}\`](${docsUrl}/errors/${code}): ${ERRORS[code].summary}`)
          .join('\n\n'),
        content: json(ref(ErrorEnvelope), {
          examples: Object.fromEntries(
            group.map((code) => [code, { summary: ERRORS[code].summary, value: errorExample(code, docsUrl) }]),
          ),
        }),
      },
    ]),
  );
}

/** A reference where the schema, or the item of an array, is a component; the schema itself otherwise. */
function ref(schema: z.ZodMiniType): Json {
  const name = Object.keys(COMPONENTS).find((key) => COMPONENTS[key] === schema);
  if (name) return { $ref: `#/components/schemas/${name}` };
  if (schema instanceof z.ZodMiniArray) return { type: 'array', items: ref(schema.def.element as z.ZodMiniType) };
  return jsonSchema(schema);
}

function jsonSchema(schema: z.ZodMiniType): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'output' }) as Json;
  return rest;
}

const json = (schema: Json, examples: Json): Json => ({ 'application/json': { schema, ...examples } });

/** The base URL without a trailing slash. */
