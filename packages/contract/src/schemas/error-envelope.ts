import * as z from 'zod/mini';
import { field } from './fields.ts';

/** One field that is not valid (api.md 7). */
export const FieldError = z.object({
  field: field(z.string(), 'A dotted path such as `slots.3.format`.', 'limit'),
  message: field(z.string(), 'What is wrong with the field.', 'limit: must be at most 100'),
  code: field(z.string(), 'A code such as `too_small`.', 'too_big'),
});

/** The body of every failure (api.md 7). */
export const ErrorEnvelope = z.object({
  success: z.literal(false),
  error: z.object({
    message: field(z.string(), 'A description of the failure, for people.'),
    code: field(z.string(), 'A stable code such as `UNAUTHORIZED`.'),
    type: field(z.string(), 'The group of the code, such as `authentication`.'),
    statusCode: field(z.int(), 'The HTTP status.'),
    retryable: field(z.boolean(), 'Whether the same request may succeed later.'),
    details: z.optional(z.object({ fields: field(z.array(FieldError), 'The fields that are not valid.') })),
    requestId: field(z.string(), 'Identifies the request in the log of the server.'),
    docs: field(z.string(), 'URL of a page that explains the code.'),
  }),
});
export type ErrorEnvelope = z.infer<typeof ErrorEnvelope>;
