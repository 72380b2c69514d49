import { explain } from '../advice/explain.ts';
import type { Emit } from '../bus.ts';
import type { createClicks } from '../clicks/clicks.ts';
import type { Delivered } from '../delivery/creative.ts';
import { isExpired } from '../delivery/pool.ts';
import { draw } from '../drawing/draw.ts';
import { collapse, face, showFallback } from '../drawing/renderer.ts';
import type { Slot } from './slot.ts';

/** What stands in the slots, and what readers do with it. */
export function createStage(emit: Emit, clicks: ReturnType<typeof createClicks>) {
  const counts = { filled: 0, empty: 0, failed: 0 };

  const follow = (slot: Slot, delivered: Delivered): void => {
    if (delivered.clicked) return;
    delivered.clicked = true;
    if (isExpired(delivered)) {
      clicks.receipts.expired++;
      emit(slot, 'clickexpired');
    } else {
      clicks.register(delivered.ad.clickToken);
      emit(slot, 'click');
    }
  };
  const standEmpty = (slot: Slot, state: 'empty' | 'failed'): void => {
    counts[state]++;
    slot.state = state;
    showFallback(slot);
    collapse(slot);
  };
  return {
    counts,
    fill(slot: Slot, delivered: Delivered): void {
      const root = face(slot);
      const card = draw(slot, delivered.ad, { followed: () => follow(slot, delivered), broken: explain });
      slot.undraw?.();
      slot.shown = delivered;
      slot.state = 'filled';
      slot.undraw = slot.open?.(card, root);
      if (!slot.open) root.replaceChildren(card);
      counts.filled++;
      emit(slot, 'filled');
    },
    empty(slot: Slot): void {
      standEmpty(slot, 'empty');
      emit(slot, 'empty');
    },
    fail(slot: Slot, reason: string): void {
      // An ad that is already there is better than none.
      if (slot.shown) slot.state = 'filled';
      else standEmpty(slot, 'failed');
      emit(slot, 'error', reason);
    },
  };
}
