/** False while nobody can look at the page: hidden, or rendered ahead of a visit that may never come. */
export function pageIsSeen(): boolean {
  const { prerendering } = document as Document & { prerendering?: boolean };
  return document.visibilityState === 'visible' && !prerendering;
}

/** False for what takes part in the layout but cannot be seen; intersection observers do not tell. */
export function isDisplayed(host: Element): boolean {
  return host.isConnected && (host.checkVisibility?.({ visibilityProperty: true, opacityProperty: true }) ?? true);
}

/** Calls back when {@link pageIsSeen} may have changed, also when the page comes out of the back/forward cache. */
export function onPageChange(changed: () => void, signal: AbortSignal): void {
  // Captured: the first two are the document's, and not all of them bubble.
  for (const type of ['visibilitychange', 'prerenderingchange', 'pageshow']) {
    window.addEventListener(type, changed, { signal, capture: true });
  }
}
