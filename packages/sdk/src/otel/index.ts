/**
 * Spans of OpenTelemetry for the requests of the client.
 *
 * @example
 * ```ts
 * import { createClient } from '@broadsheet/sdk';
 * import { tracing } from '@broadsheet/sdk/otel';
 *
 * const blog = createClient({ middleware: [tracing()] });
 * ```
 *
 * @module
 */
export { type TracingOptions, tracing } from './tracing.ts';
