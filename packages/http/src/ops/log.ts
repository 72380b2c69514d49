import { isOutage } from '@broadsheet/core';
import { destination, type Logger, pino, stdTimeFunctions } from 'pino';

export type { Logger };

/** The log levels, the most verbose first. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
/** How much is logged: `debug` logs everything, `silent` nothing. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Logs one JSON object per line to standard error, where it does not mix with the output of a command. */
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

/** Describes an error with its causes. Texts are escaped, because a message may quote user input. */
function describeError(error: unknown): unknown {
  // The message names what is unavailable; the stack adds nothing.
  if (isOutage(error)) return { name: error.name, message: printable(error.message) };
  if (!(error instanceof Error)) return printable(String(error));
  const code = (error as NodeJS.ErrnoException).code;
  return {
    name: printable(error.name),
    message: printable(error.message),
    ...(code !== undefined && { code: printable(String(code)) }),
    // Only the frames: the first line repeats the message.
    stack: error.stack
      ?.split('\n')
      .filter((line) => line.startsWith('    at '))
      .slice(0, 8)
      .map((line) => printable(line.trim())),
    ...(error.cause !== undefined && { cause: describeError(error.cause) }),
  };
}

/**
 * Makes untrusted text safe for a line of a log or a terminal: everything except printable ASCII is escaped, so that it
 * cannot forge lines, control the terminal or reverse the writing direction.
 */
export function printable(text: string, maxLength = 500): string {
  const cut = text.length > maxLength ? `${text.slice(0, maxLength)}...` : text;
  return cut.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
