import type { Clock } from '@broadsheet/core';
import type { ServerStore } from '@broadsheet/management';

export interface PanelOptions {
  readonly store: ServerStore;
  /** The URL that people use, if it differs from the URL of the requests that arrive. */
  readonly publicUrl?: string | undefined;
  /** Signs previews; by default the secret in the database. */
  readonly secret?: string | undefined;
  readonly log?: PanelLog | undefined;
  readonly clock?: Clock | undefined;
}

/** The log of the panel; a pino logger is one. */
export interface PanelLog {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
