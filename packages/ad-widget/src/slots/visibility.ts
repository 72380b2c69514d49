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
