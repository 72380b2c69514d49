import type { Clock } from '@broadsheet/core';
import type { SqlStore } from '@broadsheet/store';

/** What the panel needs from its server. */
export interface PanelOptions {
  readonly store: SqlStore;
  /** The URL that people use, if it differs from the URL of the requests that arrive. */
  readonly publicUrl?: string | undefined;
  /** Signs previews; by default the secret in the database. */
  readonly secret?: string | undefined;
  readonly log?: PanelLog | undefined;
  readonly clock?: Clock | undefined;
  /** Runs imports one after another, together with those that arrive by other doors. */
  readonly runAlone: RunAlone;
}

/**
 * Runs work when no other such work runs.
 *
 * @param client aborted when nobody waits for the result any longer
 * @throws OperationError for work that was stopped; its signal was aborted then
 */
export type RunAlone = <T>(client: AbortSignal, work: (signal: AbortSignal) => Promise<T>) => Promise<T>;

/** The log of the panel; a pino logger is one. */
export interface PanelLog {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
