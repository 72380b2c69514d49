/** False while nobody can look at the page: in the background, or rendered ahead of a visit that may never come. */
export function pageIsSeen(): boolean {
  return !document.hidden;
}

/** False for what takes part in the layout but cannot be seen; intersection observers do not tell. */
export function isDisplayed(host: Element): boolean {
  return host.isConnected && (host.checkVisibility?.({ visibilityProperty: true, opacityProperty: true }) ?? true);
}

/** Calls back when {@link pageIsSeen} may have changed, also when the page comes out of the back/forward cache. */
export function onPageChange(changed: () => void, signal: AbortSignal): void {
  document.addEventListener('visibilitychange', changed, { signal });
  window.addEventListener('pageshow', changed, { signal });
}
