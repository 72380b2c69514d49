import { type ShiftRecord, ShiftRecorder, type SlotShift, type WatchedWindow } from './shift-record.ts';

export type { SlotShift } from './shift-record.ts';

type Read = (patience: number) => Promise<ShiftRecord | undefined>;

/** The part of a Playwright page (in Chromium) that is used here. */
export interface CheckedPage {
  addInitScript(script: { content: string }): Promise<unknown>;
  evaluate(read: Read, patience: number): ReturnType<Read>;
}

/** What {@link watchShifts} returns. */
export interface ShiftWatch {
  /** The layout shift that each slot caused since the page was opened, once the slots in view have their responses. */
  bySlot(): Promise<readonly SlotShift[]>;
  /** @throws Error that names every slot that moved the page, by how much, and how to fix it. */
  expectNone(): Promise<void>;
}

/**
 * Finds out whether ads move a page, for a test that fails the build when they do. Call it before the page is opened:
 *
 * ```ts
 * const shifts = await watchShifts(page);
 * await page.goto('/');
 * await shifts.expectNone();
 * ```
 *
 * Use `data-mode="mock"` there, so that no impression is counted. Slots inside shadow roots of the page are not seen.
 *
 * @param patience Milliseconds the slots in view may take to get a response.
 */
export async function watchShifts(page: CheckedPage, { patience = 10_000 } = {}): Promise<ShiftWatch> {
  // In other browsers no shift would be found, and the check would always pass.
  const supported = "PerformanceObserver.supportedEntryTypes.includes('layout-shift')";
  await page.addInitScript({ content: `if (${supported}) window.__broadsheetShifts = new (${ShiftRecorder})()` });

  const bySlot = async (): Promise<readonly SlotShift[]> => {
    const read: Read = async (time) => (window as WatchedWindow).__broadsheetShifts?.read(time);
    const record = await page.evaluate(read, patience);
    if (!record)
      throw new Error('layout shifts were not recorded: call watchShifts before page.goto, and run it in Chromium');
    const { responded, waiting } = record;
    if (waiting.length)
      throw new Error(`after ${patience} ms there is no response for ${waiting.join(', ')}; see the page's console`);
    if (!responded.length)
      throw new Error('no slot got a response: the page has no slots, or none in view; scroll to one');
    return responded;
  };
  return {
    bySlot,
    async expectNone() {
      const moved = (await bySlot()).filter(({ shift }) => shift > 0);
      if (moved.length) throw new Error(moved.map(describe).join('\n'));
    },
  };
}

function describe({ slot, shift, from, to }: SlotShift): string {
  return `slot "${slot}" moved the page: layout shift ${shift.toFixed(3)}, its height went from ${Math.round(from)} to ${Math.round(to)} px; link broadsheet.css in the head, or give the slot a height of its own`;
}
