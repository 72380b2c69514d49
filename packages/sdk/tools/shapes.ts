import { ENDPOINT_IDS } from '@broadsheet/contract';
import { MESSAGES, PageMeta } from '@broadsheet/contract/schemas';
import { baseOf, define, fieldsOf, fill, innerOf, leafOf, nameOf, type Schema } from './schema.ts';

// The shapes of the responses as data, with which `explain` compares a response.

export function shapes(): string {
  const constants: string[] = [];
  const names = new Map<string, string>();

  function constantOf(schema: Schema, name: string): string {
    const constant = `${name[0]?.toLowerCase()}${name.slice(1)}`;
    if (!names.has(name)) {
      names.set(name, constant);
      constants.push(`const ${constant} = ${record(schema)} as const;\n`);
    }
    return constant;
  }

  function shapeOf(schema: Schema): string {
    const leaf = leafOf(schema);
    if (leaf) return `'${leaf.kind}'`;
    if (define(schema).type === 'array') return `[${shapeOf(innerOf(schema))}]`;
    const name = nameOf(schema);
    return name ? constantOf(schema, name) : record(schema);
  }

  function record(schema: Schema): string {
    const { discriminator, options = [] } = define(schema);
    if (discriminator) {
      const cases = options.map((option) => `${variantOf(option, discriminator)}: ${shapeOf(option)}`);
      return `{ on: '${discriminator}', cases: { ${cases.join(', ')} } }`;
    }
    const fields = fieldsOf(schema).map(
      ({ name, inner, optional }) => `${optional ? `'${name}?'` : name}: ${shapeOf(inner)}`,
    );
    const base = baseOf(schema);
    if (base) fields.unshift(`...${shapeOf(base)}`);
    const line = `{ ${fields.join(', ')} }`;
    if (line.length < 100) return line;
    return `{\n  ${fill(fields, ', ', '  ')},\n}`;
  }

  const pageMeta = constantOf(PageMeta, 'PageMeta');
  const rows = ENDPOINT_IDS.map((id) => `  '${id}': ${shapeOf(MESSAGES[id].data)},\n`);
  return `import type { EndpointId } from '@broadsheet/contract';
import type { Shape } from '../response/explain.ts';

${constants.join('\n')}
/** The shape of the payload of every endpoint, and of the \`meta\` of a list in numbered pages. */
export const SHAPES: Readonly<Record<EndpointId | 'meta', Shape>> = {
${rows.join('')}  meta: ${pageMeta},
};
`;
}

/** The value by which an option of a union is recognized. */
function variantOf(option: Schema, discriminator = ''): string {
  const field = define(option).shape?.[discriminator];
  return String(field && define(field).values?.[0]);
}
