/**
 * False for what takes part in the layout but cannot be seen, as it is faded out or scaled to a dot; intersection
 * observers do not say. A slot that has no size of its own before it is filled, as nothing reserves one, can be seen.
 */
export function canBeSeen(host: HTMLElement): boolean {
  const { width, height } = host.getBoundingClientRect();
  return (
    host.isConnected &&
    (host.checkVisibility?.({ visibilityProperty: true, opacityProperty: true }) ?? true) &&
    // Of its size in the layout: a tenth of its length either way.
    100 * width * height >= host.offsetWidth * host.offsetHeight
  );
}

/** Calls back when the page was read by the parser, shown or hidden, also when it comes out of the back/forward cache. */
export function onPageChange(changed: () => void, signal: AbortSignal): void {
  for (const type of ['visibilitychange', 'readystatechange']) document.addEventListener(type, changed, { signal });
  window.addEventListener('pageshow', ({ persisted }) => persisted && changed(), { signal });
}
