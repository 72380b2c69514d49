import { ENDPOINT_IDS } from '@broadsheet/contract';
import { MESSAGES, PageMeta } from '@broadsheet/contract/schemas';
import { baseOf, define, fieldsOf, fill, innerOf, leafOf, nameOf, type Schema } from './schema.ts';

// The checks of the responses, written out: a loop over the fields of a shape takes six times as long.

export function validators(): string {
  const functions = new Map<string, string>();

  /** The name of the function that checks an object or a union. */
  function functionOf(schema: Schema): string {
    const name = `is${nameOf(schema)}`;
    // The body comes first, so that a function is defined after those that it calls.
    if (!functions.has(name)) functions.set(name, `const ${name} = (v: unknown): v is Fields =>\n  ${body(schema)};\n`);
    return name;
  }

  function body(schema: Schema): string {
    const { type, options = [] } = define(schema);
    if (type === 'union') {
      const tests = options.map((option) => (nameOf(option) ? `${functionOf(option)}(v)` : `(${body(option)})`));
      return fill(tests, ' || ', '  ');
    }
    const checks = fieldsOf(schema).map(({ name, inner, optional }) => {
      const isNullable = define(inner).type === 'nullable';
      const check = test(optional && isNullable ? innerOf(inner) : inner, `v['${name}']`);
      if (optional && isNullable) return `(v['${name}'] == null || ${check})`;
      return optional ? `(v['${name}'] === undefined || ${check})` : check;
    });
    const base = baseOf(schema);
    return fill([base ? `${functionOf(base)}(v)` : 'isFields(v)', ...checks], ' && ', '  ');
  }

  function test(schema: Schema, value: string): string {
    const leaf = leafOf(schema);
    if (leaf) return leaf.check(value);
    if (define(schema).type === 'array')
      return `(Array.isArray(${value}) && ${value}.every(${functionOf(innerOf(schema))}))`;
    return `${functionOf(schema)}(${value})`;
  }

  const rows = ENDPOINT_IDS.map((id) => {
    const { data } = MESSAGES[id];
    const isArray = define(data).type === 'array';
    return `  '${id}': ${isArray ? `(v) => ${test(data, 'v')}` : functionOf(data)},\n`;
  });
  const meta = functionOf(PageMeta);
  return `import type { EndpointId } from '@broadsheet/contract';
import {
  isBoolean, isCount, isFields, isPositive, isTimestamp, isUuid,
} from '@broadsheet/contract/kinds';

type Fields = Readonly<Record<string, unknown>>;

${[...functions.values()].join('\n')}
/** Whether the payload of an endpoint, or the \`meta\` of a list in numbered pages, matches the contract. */
export const VALIDATORS: Readonly<Record<EndpointId | 'meta', (v: unknown) => boolean>> = {
${rows.join('')}  meta: ${meta},
};
`;
}
