import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { ENDPOINT_IDS, ENDPOINTS } from './endpoints.ts';
import { openapi } from './openapi.ts';

test('the document is valid OpenAPI 3.1 by an independent validator', async () => {
  const validator = new Validator();
  const result = await validator.validate(structuredClone(openapi({ baseUrl: 'https://blog.example/api' })));
  expect(result).toMatchObject({ valid: true });
  expect(validator.version).toBe('3.1');
});

test('a linter of the field has nothing against the document, and would say so', async () => {
  const config = await createConfig({ extends: ['recommended-strict'] });
  const lint = async (document: object) => {
    const problems = await lintFromString({ source: JSON.stringify(document), config });
    return problems.map(({ ruleId, message }) => `${ruleId}: ${message}`);
  };
  const document = openapi({ baseUrl: 'https://blog.example/api' });
  expect(await lint(document)).toEqual([]);
  expect(await lint({ ...document, security: undefined })).not.toEqual([]);
});

test('every row of the table is in the document', () => {
  const { paths } = openapi();
  for (const id of ENDPOINT_IDS) {
    const { path, method } = ENDPOINTS[id];
    expect(paths[path]?.[method.toLowerCase()], id).toMatchObject({ operationId: id });
  }
  expect(ENDPOINT_IDS).toHaveLength(14);
});

test('a query parameter shows its bounds and its default, as a reader of the document sees them', () => {
  const operation = openapi().paths['/public/posts']?.['get'] as {
    parameters: { name: string; schema: object; required: boolean }[];
  };
  const limit = operation.parameters.find(({ name }) => name === 'limit');
  expect(limit).toMatchObject({ required: false, schema: { type: 'integer', minimum: 1, maximum: 100, default: 10 } });
});
