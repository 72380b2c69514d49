/**
 * A log: `console`, or one of pino's kind. Requests and responses are written with `debug`, retries and differences from
 * the contract with `warn`, failures with `error`; a `NOT_FOUND` of the API with `debug`. The key is in none of it.
 *
 * @example
 * ```ts
 * const logger: Logger = console;
 * const logged = createClient({ logger });
 * ```
 */
export interface Logger {
  debug(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
