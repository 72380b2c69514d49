import * as contract from '@broadsheet/contract';
import * as schemas from '@broadsheet/contract/schemas';
import { expect, test } from 'vitest';
import { createFactories, type Factories } from './factories.ts';

const problems = (schema: Parameters<typeof schemas.validate>[0], value: unknown) => {
  const result = schemas.validate(schema, value);
  return result.ok ? [] : result.fields;
};

test.each([
  ['post', schemas.Post],
  ['postSummary', schemas.PostSummary],
  ['category', schemas.Category],
  ['tag', schemas.Tag],
  ['searchResult', schemas.SearchResultItem],
  ['ad', schemas.AdDeliveryResult],
  ['slot', schemas.AdDeliverySlotResult],
] as const)('%s builds values that its schema accepts', (name, schema) => {
  for (const value of createFactories({ seed: name })[name].list(20)) expect(problems(schema, value)).toEqual([]);
});

test.each([
  ['post', schemas.Post],
  ['category', schemas.Category],
  ['tag', schemas.Tag],
  ['searchResult', schemas.SearchResultItem],
  ['ad', schemas.FilledAd],
] as const)('%s builds every field of its schema', (name, { shape }) => {
  const built = Object.keys(createFactories()[name].build());
  const missing = Object.keys(shape).filter((field) => !built.includes(field));
  expect(missing, `fields that packages/mock-server/src/data/stored-factories.ts leaves out of a ${name}`).toEqual([]);
});

test.each([
  ['post', contract.SnapshotPost],
  ['category', contract.SnapshotCategory],
  ['tag', contract.SnapshotTag],
  ['ad', contract.SnapshotAd],
] as const)('stored.%s builds values that a snapshot accepts', (name, rule: contract.Rule) => {
  for (const value of createFactories().stored[name].list(20))
    expect(contract.accept(rule, value)).toMatchObject({ ok: true });
});

test.each([
  ['post', schemas.Post],
  ['category', schemas.Category],
  ['tag', schemas.Tag],
  ['searchResult', schemas.SearchResultItem],
] as const)('%s builds every field of its schema', (name, { shape }) => {
  expect(lacking(createFactories()[name].build(), Object.keys(shape)), where(name)).toEqual([]);
});

test.each([
  ['post', contract.SnapshotPost],
  ['category', contract.SnapshotCategory],
  ['tag', contract.SnapshotTag],
  ['ad', contract.SnapshotAd],
] as const)('stored.%s builds every required field of a snapshot', (name, { fields }) => {
  const always = Object.entries<contract.Rule>(fields).flatMap(([field, { kind }]) =>
    kind === 'optional' ? [] : field,
  );
  expect(lacking(createFactories().stored[name].build(), always), where(`stored.${name}`)).toEqual([]);
});

const lacking = (built: object, names: string[]) => names.filter((name) => !Object.hasOwn(built, name));
const where = (name: string) =>
  `the factory ${name} lacks these fields: add them in src/data/factories.ts or src/data/stored-factories.ts`;

test('the same seed makes the same data, and no two items are equal', () => {
  const make = ({ post, ad }: Factories) => [...post.list(3), ...ad.list(3)];
  expect(make(createFactories({ seed: 'a' }))).toEqual(make(createFactories({ seed: 'a' })));
  expect(make(createFactories({ seed: 'a' }))).not.toEqual(make(createFactories({ seed: 'b' })));
  expect(new Set(make(createFactories()).map(({ id }) => id)).size).toBe(6);
});

test('fields can be set for one item, for all, or by index', () => {
  const { post } = createFactories();
  expect(post.build({ title: 'Mine' }).title).toBe('Mine');
  expect(post.list(2, (index) => ({ slug: `s${index}` })).map(({ slug }) => slug)).toEqual(['s0', 's1']);
});
