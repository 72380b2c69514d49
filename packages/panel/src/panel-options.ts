import type { Clock } from '@broadsheet/core';
import type { ServerStore } from '@broadsheet/management';

/** What `createPanel` works with. */
export interface PanelOptions {
  readonly store: ServerStore;
  /** The address people know the server by, where it is not the one they ask for. */
  readonly publicUrl?: string | undefined;
  readonly log?: PanelLog | undefined;
  readonly clock?: Clock | undefined;
}

/** Takes what happens in the panel; a log of pino is one. */
export interface PanelLog {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
