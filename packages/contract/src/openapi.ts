import * as z from 'zod/mini';
import { ENDPOINT_IDS, ENDPOINTS, type Endpoint, type EndpointId } from './endpoints.ts';
import { ERRORS, type ErrorCode } from './errors.ts';
import {
  AdClickRequest,
  AdDeliveryRequest,
  AdDeliveryResult,
  AdDeliverySlotResult,
  AdTrackingResult,
} from './schemas/ad.ts';
import { ErrorEnvelope } from './schemas/error-envelope.ts';
import { Category, Tag } from './schemas/label.ts';
import { MESSAGES, type Message } from './schemas/messages.ts';
import { PageMeta } from './schemas/pagination.ts';
import { Post, PostSummary } from './schemas/post.ts';
import { SearchResponse } from './schemas/search.ts';

/** Where the API described by the document lives, and its version. */
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

/** The whole contract as an OpenAPI 3.1 document, made from the endpoint table and the schemas. */
export function openapi({ baseUrl = '/', version = '1.0.0' }: OpenApiOptions = {}): OpenApiDocument {
  const paths: Record<string, Json> = {};
  for (const id of ENDPOINT_IDS) {
    const { path, method } = ENDPOINTS[id];
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation(id) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Broadsheet',
      version,
      description: 'The published content of one blog, and its ads.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    security: [{ apiKey: [] }],
    tags: ['posts', 'categories', 'tags', 'search', 'ads'].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' } },
      schemas: Object.fromEntries(Object.entries(COMPONENTS).map(([name, schema]) => [name, jsonSchema(schema)])),
    },
  };
}

function operation(id: EndpointId): Json {
  const endpoint: Endpoint = ENDPOINTS[id];
  const message: Message = MESSAGES[id];
  return {
    operationId: id,
    summary: SUMMARIES[id],
    tags: [id.split('.')[0]],
    parameters: [...parameters('path', message.params), ...parameters('query', message.query)],
    ...(endpoint.body === 'required' &&
      message.body && { requestBody: { required: true, content: json(ref(message.body)) } }),
    responses: {
      200: { description: 'Success', content: json(success(endpoint, message)) },
      ...failures(endpoint.failures),
    },
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
    schema: jsonSchema(field as z.ZodMiniType),
  }));
}

function failures(codes: readonly ErrorCode[]): Json {
  const byStatus = Map.groupBy(codes, (code) => ERRORS[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      status,
      {
        description: group.map((code) => `\`${code}\`: ${ERRORS[code].summary}`).join('\n\n'),
        content: json(ref(ErrorEnvelope)),
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

const json = (schema: Json): Json => ({ 'application/json': { schema } });

/** What each endpoint is for, in a line: for documents, so no program has to carry it. */
const SUMMARIES: Readonly<Record<EndpointId, string>> = {
  'posts.list': 'List the published posts of the blog',
  'posts.get': 'Read a published post by its id',
  'posts.getBySlug': 'Read a published post by its slug',
  'categories.list': 'List all categories of the blog',
  'categories.get': 'Read a category',
  'categories.posts': 'List the published posts of a category',
  'tags.list': 'List all tags of the blog',
  'tags.get': 'Read a tag',
  'tags.posts': 'List the published posts of a tag',
  search: 'Search the titles and subtitles of published posts',
  'ads.deliver': 'Deliver one ad of a format and count its impression',
  'ads.deliverBatch': 'Deliver one ad per slot, none twice, and count their impressions',
  'ads.click': 'Register a click by the token of its delivery',
  'ads.impression': 'Accepted for compatibility, without effect',
};
