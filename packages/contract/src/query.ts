import * as z from 'zod/mini';
import { LIMITS } from './limits.ts';

/** Decimal digits and nothing else: `1e1`, ` 1`, `0x1`, `1.0` and the empty string are refused. */
const digits = z.string().check(z.regex(/^\d+$/, { error: 'Expected a whole number in decimal digits' }));

/** A whole number in a query string, within bounds, with a default. */
function integer(bounds: { min: number; max?: number; default: number }) {
  const { min, max } = bounds;
  return z._default(
    z.pipe(
      z.pipe(
        digits,
        z.transform((text) => Number(text)),
      ),
      z.int().check(z.minimum(min), ...(max === undefined ? [] : [z.maximum(max)])),
    ),
    bounds.default,
  );
}

/** White space trimmed and collapsed: the form in which a search term is measured, used and echoed. */
export function normalizeTerm(q: string): string {
  return q.trim().replace(/\s+/gu, ' ');
}

const codePoints = (text: string): number => [...text].length;
const { min, max } = LIMITS.search.q;

const term = z.pipe(
  z.pipe(z.string(), z.transform(normalizeTerm)),
  z.string().check((ctx) => {
    const length = codePoints(ctx.value);
    const bound = { origin: 'string', inclusive: true, input: ctx.value } as const;
    if (length < min) ctx.issues.push({ code: 'too_small', minimum: min, ...bound });
    if (length > max) ctx.issues.push({ code: 'too_big', maximum: max, ...bound });
  }),
);

/** Query of `GET /public/posts` (api.md 4.1). */
export const PostsQuery = z.object({
  status: z._default(z.enum(['PUBLISHED']), 'PUBLISHED'),
  limit: integer(LIMITS.posts.limit),
  offset: integer(LIMITS.offset),
});

/** Query of the posts of a category or a tag (api.md 4.2, 4.3). */
export const PageQuery = z.object({ page: integer(LIMITS.page), pageSize: integer(LIMITS.pageSize) });

/** Query of `GET /public/search` (api.md 4.4). */
export const SearchQuery = z.object({
  q: term,
  limit: integer(LIMITS.search.limit),
  offset: integer(LIMITS.offset),
});
