import type { Clock } from '@broadsheet/core';
import type { Logger } from '@broadsheet/http';
import type { ServerStore } from '@broadsheet/store';

/** What `createPanel` works with. */
export interface PanelOptions {
  readonly store: ServerStore;
  /** The address people know the server by, where it is not the one they ask for. */
  readonly publicUrl?: string | undefined;
  readonly log?: Logger | undefined;
  readonly clock?: Clock | undefined;
}
