import type { Transport } from './delivery/creative.ts';
import type { Emit } from './events.ts';
import type { Slot } from './slots/slot.ts';

/** The state that the parts of a client share. */
export interface Context extends ReturnType<typeof newState> {
  readonly baseUrl: string;
  readonly client: string;
  /** Identifies the API and the key. */
  readonly line: string;
  readonly transport: Transport;
  /** Aborted when the client is destroyed. */
  readonly signal: AbortSignal;
  readonly emit: Emit;
  /** Fills slots and requests ads soon, as something has changed. */
  readonly schedule: () => void;
}

export const newState = () => ({
  /** Only the finder adds slots and removes them. */
  slots: new Map<Element, Slot>(),
  /** What the reader allows now. */
  consent: { ads: false, storage: false },
  counts: { requests: 0, requested: 0, delivered: 0, rendered: 0, reused: 0, empty: 0, failed: 0, viewable: 0 },
  receipts: { posted: 0, confirmed: 0, expired: 0, refused: 0 },
  /** Click tokens waiting to be posted again, with the time at which they expire, milliseconds since 1970. */
  unsent: new Map<string, number>(),
  /** When the client was created, milliseconds since 1970: later entries of the journal are its own. */
  opened: Date.now(),
});
