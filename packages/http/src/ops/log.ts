import { StoreUnavailable } from '@broadsheet/core';
import { destination, type Logger, pino, stdTimeFunctions } from 'pino';

export type { Logger };

/** The levels a log can be set to, most talkative first. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
/** How much a log says: `debug` says all, `silent` nothing. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** A log of one JSON object a line on standard error, where it does not mix with what a command prints. */
export function createLog(level: LogLevel): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { cause: describeError },
    },
    destination({ dest: 2, sync: true }),
  );
}

/** What an error says, its causes included; a message may quote what a user sent, hence the escaping. */
function describeError(error: unknown): unknown {
  // Its message says what is away; the place where that was noticed is of no use.
  if (error instanceof StoreUnavailable) return { name: error.name, message: printable(error.message) };
  if (!(error instanceof Error)) return printable(String(error));
  const code = (error as NodeJS.ErrnoException).code;
  return {
    name: printable(error.name),
    message: printable(error.message),
    ...(code !== undefined && { code: printable(String(code)) }),
    // Frames say where; the first line only repeats the message.
    stack: error.stack
      ?.split('\n')
      .filter((line) => line.startsWith('    at '))
      .slice(0, 8)
      .map((line) => printable(line.trim())),
    ...(error.cause !== undefined && { cause: describeError(error.cause) }),
  };
}

/**
 * Text from outside, fit for a line of a log or a terminal: nothing but printable ASCII stays as it is, so that no
 * line can be forged, no terminal steered and no direction of writing turned.
 */
export function printable(text: string, maxLength = 500): string {
  const cut = text.length > maxLength ? `${text.slice(0, maxLength)}...` : text;
  return cut.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
