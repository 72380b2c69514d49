import * as z from 'zod/mini';
import { INTEGER, KEY, normalizeTerm } from '../rules/accept.ts';
import type { Bounds, RecordRule, Rule } from '../rules/rule.ts';
import * as wording from '../rules/wording.ts';

/**
 * The schema for a rule: for the OpenAPI document, and for users who need schemas. The API itself validates with
 * `accept`, and a test compares the two. Only the rules of requests have a schema.
 */
export function schemaOf<Out, In>(rule: RecordRule<Out, In>): z.ZodMiniObject<Shape<Out, In>>;
export function schemaOf<Out, In>(rule: Rule<Out, In>): z.ZodMiniType<Out, In>;
export function schemaOf(rule: Rule): z.ZodMiniType {
  switch (rule.kind) {
    case 'text':
      return z.string().check(codePoints(rule));
    case 'key':
      return z.string().check(z.regex(KEY, { error: wording.FORMS.key, abort: true }), codePoints(rule));
    case 'term':
      return z.pipe(z.pipe(z.string(), z.transform(normalizeTerm)), z.string().check(codePoints(rule)));
    case 'digits':
      return integer(rule);
    case 'choice':
      return z.enum(rule.values);
    case 'list':
      return z.array(schemaOf(rule.item)).check(...lengths(rule));
    case 'record':
      return z.object(Object.fromEntries(Object.entries(rule.fields).map(([key, field]) => [key, schemaOf(field)])));
    case 'optional':
      return z.optional(schemaOf(rule.inner));
    case 'fallback':
      return z._default(schemaOf(rule.inner), rule.value);
    default:
      throw new TypeError(`schemaOf: no request is made of the rule ${rule.kind}`);
  }
}

type Shape<Out, In> = {
  [K in keyof Out]-?: Field<Out[K], K extends keyof In ? In[K] : never>;
};
type Field<O, I> = undefined extends I
  ? z.ZodMiniDefault<z.ZodMiniType<O, Exclude<I, undefined>>>
  : z.ZodMiniType<O, I>;

function lengths({ min, max }: Bounds) {
  return [...(min === undefined ? [] : [z.minLength(min)]), ...(max === undefined ? [] : [z.maxLength(max)])];
}

/** Bounds in code points, as in JSON Schema. Those of the library count UTF-16 units. */
function codePoints({ min = 0, max = Number.POSITIVE_INFINITY }: Bounds): z.core.$ZodCheck<string> {
  const check = z.check<string>(({ value, issues }) => {
    const { length } = [...value];
    const bound = { origin: 'string', inclusive: true, input: value } as const;
    if (length < min) issues.push({ code: 'too_small', minimum: min, ...bound });
    if (length > max) issues.push({ code: 'too_big', maximum: max, ...bound });
  });
  // For the OpenAPI document.
  check._zod.onattach.push(({ _zod: { bag } }) => {
    if (min > 0) bag['minimum'] = min;
    if (Number.isFinite(max)) bag['maximum'] = max;
  });
  return check;
}

/** The bounds are compared before the conversion, since a number may be too large to be exact. */
function integer({ min = 0, max = Number.MAX_SAFE_INTEGER }: Bounds): z.ZodMiniType<number, string> {
  const form = z.regex(INTEGER, { error: wording.FORMS.digits, abort: true });
  const bounds: z.core.CheckFn<string> = ({ value, issues }) => {
    const bound = { origin: 'int', inclusive: true, input: value } as const;
    if (Number(value) < min) issues.push({ code: 'too_small', minimum: min, ...bound });
    if (Number(value) > max) issues.push({ code: 'too_big', maximum: max, ...bound });
  };
  const number = z.int().check(z.minimum(min), ...(max === Number.MAX_SAFE_INTEGER ? [] : [z.maximum(max)]));
  return z.pipe(z.pipe(z.string().check(form, bounds), z.transform(Number)), number);
}
