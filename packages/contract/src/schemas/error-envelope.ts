import * as z from 'zod/mini';
import type * as wording from '../rules/wording.ts';

/** One field that did not pass; `field` is a dotted path such as `slots.3.format`. */
export const FieldError = z.object({ field: z.string(), message: z.string(), code: z.string() });
export type FieldError = wording.FieldError;

/** The body of every failure (api.md 7). */
export const ErrorEnvelope = z.object({
  success: z.literal(false),
  error: z.object({
    message: z.string(),
    code: z.string(),
    type: z.string(),
    statusCode: z.int(),
    retryable: z.boolean(),
    details: z.optional(z.object({ fields: z.array(FieldError) })),
    requestId: z.string(),
    docs: z.string(),
  }),
});
export type ErrorEnvelope = z.infer<typeof ErrorEnvelope>;
