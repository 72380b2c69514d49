/** The entry of `localStorage` that says when this site showed a popup. */
export const POPUP_STORAGE = 'broadsheet:popup';

/** Forgets when this site showed a popup, because the reader has withdrawn consent. */
export function forgetPopup(): void {
  try {
    localStorage.removeItem(POPUP_STORAGE);
  } catch {
    // Storage is forbidden, so there is no entry.
  }
}
