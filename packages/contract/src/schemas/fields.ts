import * as z from 'zod/mini';
import { isTimestamp, isUuid } from '../rules/kinds.ts';

/** Documents a field with its meaning and an example: for the reference, and for the types of the SDK. */
export function field<S extends z.ZodMiniType>(schema: S, description: string, example?: z.output<S>): S {
  return schema.check(z.meta(example === undefined ? { description } : { description, examples: [example] }));
}

/** An ISO 8601 timestamp (api.md 2): a date that exists, with its time zone. The server writes UTC. */
export const Timestamp = z.stringFormat('datetime', isTimestamp);

/** A string in the format of a UUID of any version. */
export const Uuid = z.stringFormat('guid', isUuid);

/** A number of items. */
export const Count = z.int().check(z.minimum(0));

/** A whole number that starts at 1. */
export const Ordinal = z.int().check(z.minimum(1));
