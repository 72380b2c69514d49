/** The levels a log can be set to, most talkative first. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
/** How much a log says: `debug` says all, `silent` nothing. */
export type LogLevel = (typeof LOG_LEVELS)[number];
