import { StoreUnavailable } from '@broadsheet/core';
import { destination, type Logger, pino, stdTimeFunctions } from 'pino';
import { printable } from './printable.ts';

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
