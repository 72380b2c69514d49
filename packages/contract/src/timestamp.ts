import * as z from 'zod/mini';

/** An instant as ISO 8601 in UTC, as api.md 2 asks of every timestamp. An explicit zone is read as well. */
export const Timestamp = z.iso.datetime({ offset: true });
