import type { Emit } from './bus.ts';
import type { Slot } from './slot.ts';

/** Loads what a popup needs and lets it be asked for once the reader may be shown one. */
export function preparePopup(slot: Slot, emit: Emit, schedule: () => void, signal: AbortSignal): void {
  import('./popup.ts').then(
    ({ afterInteraction, isCapped, openPopup }) => {
      slot.open = (card) => openPopup(slot, card, () => emit(slot, 'close'));
      afterInteraction(() => {
        // Looked at before asking: a popup that may not be shown is not bought.
        slot.near = !isCapped(slot);
        schedule();
      }, signal);
    },
    (cause) => emit(slot, 'error', String(cause)),
  );
}
