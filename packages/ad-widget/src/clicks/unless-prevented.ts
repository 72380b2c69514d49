/**
 * Calls back for a click that the page lets happen: after all of its own listeners, while the click is still being
 * dispatched, so that a request leaves before the page does.
 */
export function unlessPrevented(event: Event, followed: () => void): void {
  const decide = (): void => {
    clearTimeout(timer);
    window.removeEventListener(event.type, decide);
    if (!event.defaultPrevented) followed();
  };
  // For a page that stops the event on its way up.
  const timer = setTimeout(decide);
  window.addEventListener(event.type, decide);
}
