import { ENDPOINT_IDS } from '@broadsheet/contract';
import * as schemas from '@broadsheet/contract/schemas';
import { baseOf, define, descriptionOf, documentationOf, fieldsOf, innerOf, nameOf, type Schema } from './schema.ts';

// The interfaces of the SDK, with the descriptions of the contract as TSDoc.

/** The types of the SDK and an example of each, in the order of the API document. */
const EXAMPLES = {
  PostStatus: `
const badge = (status: PostStatus): string => (status === 'PUBLISHED' ? '' : status.toLowerCase());`,
  EmbeddedCategory: `
const { categories } = await blog.posts.get(id);
const names = categories.map(({ name }: EmbeddedCategory) => name);`,
  EmbeddedTag: `
const { tags } = await blog.posts.get(id);
const names = tags.map(({ name }: EmbeddedTag) => \`#\${name}\`);`,
  Post: `
const { title, publishedAt }: Post = await blog.posts.getBySlug('hello-world');
console.log(title, publishedAt && new Date(publishedAt));`,
  PostSummary: `
const teaser = ({ title, subtitle }: PostSummary): string => \`\${title}: \${subtitle ?? ''}\`;
const teasers = (await blog.tags.posts(id)).items.map(teaser);`,
  PostCount: `
const posts = ({ posts }: PostCount): string => \`\${posts} posts\`;
const [first] = await blog.tags.list();
if (first) console.log(first.name, posts(first._count));`,
  Category: `
const menu = (await blog.categories.list()).map(({ id, name }: Category) => ({ id, name }));`,
  Tag: `
const used = (await blog.tags.list()).filter(({ _count }: Tag) => _count.posts > 0);`,
  SearchResultItem: `
const hits = await blog.search('soup').take(5);
const links = hits.map(({ slug, title }: SearchResultItem) => \`<a href="/\${slug}">\${title}</a>\`);`,
  SearchMeta: `
const { meta } = await blog.search('  pea   soup ');
const search: SearchMeta | undefined = meta.search;
console.log(search?.q); // 'pea soup'`,
  Pagination: `
const { meta } = await blog.categories.posts(id, { pageSize: 20 });
const pagination: Pagination | undefined = meta.pagination;
console.log(\`page \${pagination?.page} of \${pagination?.totalPages}\`);`,
  AdFormat: `
const format: AdFormat = 'SIDEBAR';
const ad = await blog.ads.deliver(format);`,
  AdSlot: `
const slots: AdSlot[] = [{ slotId: 'top', format: 'BANNER' }, { slotId: 'side', format: 'SIDEBAR' }];
const results = await blog.ads.deliverBatch(slots);`,
  FilledAd: `
const link = ({ linkUrl, linkText }: FilledAd): string => \`\${linkText ?? 'more'}: \${linkUrl}\`;
const ad = await blog.ads.deliver('INLINE');
if (ad.filled) console.log(link(ad));`,
  UnfilledAd: `
const nothing: UnfilledAd = { filled: false };
const { data: ad = nothing } = await blog.ads.deliver('POPUP').safe(); // a failed delivery shows no ad`,
  AdDeliveryResult: `
const ad: AdDeliveryResult = await blog.ads.deliver('BANNER');
if (ad.filled) console.log(ad.title, ad.clickToken);`,
  AdDeliverySlotResult: `
const results: AdDeliverySlotResult[] = await blog.ads.deliverBatch(slots);
for (const result of results) if (result.filled) console.log(result.slotId, result.title);`,
  AdTrackingResult: `
const { status }: AdTrackingResult = await blog.ads.click(token); // 'ok'`,
  FieldError: `
const { error } = await blog.search('ab').safe();
for (const { field, message } of error?.fields ?? ([] satisfies FieldError[])) console.log(field, message);`,
} as const satisfies { readonly [Name in keyof typeof schemas]?: string };

type Name = keyof typeof EXAMPLES;
const SCHEMAS: { readonly [N in Name]: Schema } = schemas;

/** Types that read better than what their schemas would give. */
const WRITTEN: { readonly [N in Name]?: string } = {
  // A newer server may send other values.
  PostStatus: `${union(schemas.PostStatus)} | (string & {})`,
  PostSummary: summaryOf(schemas.PostSummary, 'Post'),
  AdDeliverySlotResult: 'AdSlot & AdDeliveryResult',
};

export function resources(): string {
  const types = (Object.keys(EXAMPLES) as Name[]).map(declaration);
  return `${types.join('\n\n')}\n\n${payloads()}`;
}

function declaration(name: Name): string {
  const comment = [documentationOf(name), '', '@example', '```ts', ...EXAMPLES[name].trim().split('\n'), '```'];
  const body = comment.map((line) => ` *${line && ` ${line.replace(/^ \* ?/, '')}`}`.replace(/^ \* {2}\*/, ' *'));
  return `/**\n${body.join('\n')}\n */\n${code(name)}`;
}

function code(name: Name): string {
  const schema = SCHEMAS[name];
  const written = WRITTEN[name];
  if (written) return `export type ${name} = ${written};`;
  if (define(schema).type !== 'object') return `export type ${name} = ${union(schema)};`;
  const fields = fieldsOf(schema).map(
    ({ name: field, inner, optional }) =>
      `  /** ${descriptionOf(schema, field)} */\n  ${field}${optional ? '?' : ''}: ${typeOf(inner)}${optional ? ' | undefined' : ''};\n`,
  );
  const base = baseOf(schema);
  return `export interface ${name}${base ? ` extends ${nameOf(base)}` : ''} {\n${fields.join('')}}`;
}

function typeOf(schema: Schema): string {
  const name = nameOf(schema);
  if (name && name in EXAMPLES) return name;
  const { type } = define(schema);
  switch (type) {
    case 'string':
    case 'boolean':
      return type;
    case 'number':
      return 'number';
    case 'literal':
    case 'enum':
      return union(schema);
    case 'nullable':
      return `${typeOf(innerOf(schema))} | null`;
    case 'array':
      return `${typeOf(innerOf(schema))}[]`;
    case 'object':
      return `{ ${fieldsOf(schema)
        .map(({ name: field, inner }) => `${field}: ${typeOf(inner)}`)
        .join('; ')} }`;
    default:
      throw new Error(`No TypeScript type for a schema of type ${type}.`);
  }
}

/** The values of an enumeration or a literal, or the options of a union, as a union type. */
function union(schema: Schema): string {
  const { options } = define(schema);
  if (options) return options.map(typeOf).join(' | ');
  return [...(schema._zod.values ?? [])].map((value) => (typeof value === 'string' ? `'${value}'` : value)).join(' | ');
}

/** A type with only some fields of another that are always there. */
function summaryOf(schema: Schema, whole: string): string {
  const required = fieldsOf(schema).filter(({ optional }) => !optional);
  return `Pick<${whole}, ${required.map(({ name }) => `'${name}'`).join(' | ')}> & Partial<${whole}>`;
}

function payloads(): string {
  const rows = ENDPOINT_IDS.map(
    (id) => `  ${id.includes('.') ? `'${id}'` : id}: ${typeOf(schemas.MESSAGES[id].data)};\n`,
  );
  return `/** The payload of a successful response, by endpoint. */\nexport interface Payloads {\n${rows.join('')}}\n`;
}
