import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { ENDPOINT_IDS, ENDPOINTS, type Endpoint, type EndpointId } from './endpoints.ts';
import { ERRORS } from './errors.ts';
import { openapi } from './openapi.ts';
import { PARAMETERS } from './reference/descriptions.ts';
import { BODIES, errorExample, RESPONSES } from './reference/examples.ts';

test('an independent validator accepts the document as OpenAPI 3.1', async () => {
  const validator = new Validator();
  const result = await validator.validate(structuredClone(openapi({ baseUrl: 'https://blog.example/api' })));
  expect(result).toMatchObject({ valid: true });
  expect(validator.version).toBe('3.1');
});

test("the document passes Redocly's strict rules, which reject a document without security", async () => {
  const config = await createConfig({ extends: ['recommended-strict'] });
  const lint = async (document: object) => {
    const problems = await lintFromString({ source: JSON.stringify(document), config });
    return problems.map(({ ruleId, message }) => `${ruleId}: ${message}`);
  };
  const document = openapi({ baseUrl: 'https://blog.example/api' });
  expect(await lint(document)).toEqual([]);
  expect(await lint({ ...document, security: undefined })).not.toEqual([]);
});

test('every endpoint of the table is in the document', () => {
  const { paths } = openapi();
  for (const id of ENDPOINT_IDS) {
    const { path, method } = ENDPOINTS[id];
    expect(paths[path]?.[method.toLowerCase()], id).toMatchObject({ operationId: id });
  }
  expect(ENDPOINT_IDS).toHaveLength(15);
});

test('a query parameter has its bounds and its default', () => {
  const operation = openapi().paths['/public/posts']?.['get'] as {
    parameters: { name: string; schema: object; required: boolean }[];
  };
  const limit = operation.parameters.find(({ name }) => name === 'limit');
  expect(limit).toMatchObject({ required: false, schema: { type: 'integer', minimum: 1, maximum: 100, default: 10 } });
});

const operationOf = (id: EndpointId, document = openapi({ baseUrl: 'https://blog.example/a//' })) =>
  document.paths[ENDPOINTS[id].path]?.[ENDPOINTS[id].method.toLowerCase()] as Record<string, unknown>;

test('the document names its license, its server, its guides and its API key', () => {
  const { paths, components, tags, ...head } = openapi({ baseUrl: 'https://blog.example/a//', version: '9.9.9' });
  expect(head).toEqual({
    openapi: '3.1.0',
    info: {
      title: 'Broadsheet',
      version: '9.9.9',
      description: expect.stringContaining('API'),
      contact: { name: 'Broadsheet', url: 'https://blog.example/a/docs/' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: 'https://blog.example/a//' }],
    security: [{ apiKey: [] }],
    externalDocs: { description: 'Guides, and a page for every error', url: 'https://blog.example/a/docs/' },
  });
  expect(components).toMatchObject({
    securitySchemes: {
      apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: expect.stringContaining('key') },
    },
  });
  expect(openapi()).toMatchObject({
    info: { version: '1.0.0' },
    servers: [{ url: '/' }],
    externalDocs: { url: '/docs/' },
  });
});

test.each(ENDPOINT_IDS)('%s has a tag, an example and a code sample', (id) => {
  const operation = operationOf(id);
  const [tag = ''] = id.split('.');
  const { tags } = openapi() as unknown as { tags: { name: string }[] };
  expect(tags.map(({ name }) => name)).toContain(tag);
  expect(operation).toMatchObject({
    tags: [tag],
    responses: { 200: { description: 'Success', content: { 'application/json': { example: RESPONSES[id] } } } },
    'x-codeSamples': [
      {
        lang: 'TypeScript',
        label: '@broadsheet/sdk',
        source: expect.stringMatching(
          /^import .*createClient.*\n\nconst blog = .*'https:\/\/blog.example\/a\/\/'.*\n\n.*blog\.\w+/,
        ),
      },
    ],
  });
  const { body }: Endpoint = ENDPOINTS[id];
  expect(operation['requestBody']).toEqual(
    body === 'required'
      ? { required: true, content: { 'application/json': { schema: expect.anything(), example: BODIES[id] } } }
      : undefined,
  );
});

test('all fields of an envelope are required, and its data is a reference', () => {
  const schemaOf = (id: EndpointId) =>
    (operationOf(id) as { responses: { 200: { content: { 'application/json': { schema: object } } } } }).responses[200]
      .content['application/json'].schema;
  const post = { $ref: '#/components/schemas/Post' };
  expect(schemaOf('posts.get')).toEqual({
    type: 'object',
    properties: { success: { const: true }, data: post },
    required: ['success', 'data'],
  });
  expect(schemaOf('posts.list')).toMatchObject({ properties: { data: { type: 'array', items: post } } });
  expect(schemaOf('categories.posts')).toMatchObject({
    properties: { meta: { $ref: '#/components/schemas/PageMeta' } },
    required: ['success', 'data', 'meta'],
  });
  expect(schemaOf('ads.click')).toEqual({ $ref: '#/components/schemas/AdTrackingResult' });
});

test('a parameter has an example; an error has an example and links to its page', () => {
  const { parameters, responses } = operationOf('posts.getBySlug') as {
    parameters: Record<string, unknown>[];
    responses: Record<string, { description: string; content: object }>;
  };
  expect(parameters).toEqual([
    {
      name: 'slug',
      in: 'path',
      required: true,
      description: PARAMETERS['slug']?.text,
      schema: expect.objectContaining({ type: 'string' }),
      example: PARAMETERS['slug']?.example,
    },
  ]);
  expect(Object.keys(responses)).toEqual(['200', '400', '401', '404', '429', '500', '503']);
  expect(responses['404']).toEqual({
    description: `[\`NOT_FOUND\`](https://blog.example/a/errors/NOT_FOUND): ${ERRORS.NOT_FOUND.summary}`,
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/ErrorEnvelope' },
        examples: {
          NOT_FOUND: { summary: ERRORS.NOT_FOUND.summary, value: errorExample('NOT_FOUND', 'https://blog.example/a') },
        },
      },
    },
  });
});
