/**
 * Calls back for a click that the page lets happen: after all of its own listeners, while the click is still being
 * dispatched, so that a request leaves before the page does.
 *
 * @param followed Called twice for most clicks; what it did for the first call must be enough.
 */
export function unlessPrevented(event: Event, followed: () => void): void {
  const decide = (): void => {
    if (!event.defaultPrevented) followed();
  };
  window.addEventListener(event.type, decide, { once: true });
  // For a page that stops the event on its way up.
  setTimeout(decide);
}
