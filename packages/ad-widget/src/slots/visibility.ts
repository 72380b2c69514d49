/** Square pixels above which 30 % of an ad are enough, instead of half of it (the Media Rating Council's definition). */
const LARGE = 242_500;
/** Pixels. Nobody reads an ad that is narrower. */
const SLIVER = 50;

/**
 * False for what takes part in the layout but cannot be seen, as it is faded out, a sliver, or scaled to a dot;
 * intersection observers do not say. A slot that has no height before it is filled, as nothing reserves one, can be seen.
 */
export function canBeSeen(host: HTMLElement): boolean {
  const { width, height } = host.getBoundingClientRect();
  return (
    host.isConnected &&
    (width > SLIVER || !host.clientHeight) &&
    (host.checkVisibility?.({ visibilityProperty: true, opacityProperty: true }) ?? true) &&
    // Of its size in the layout: a tenth of its length either way.
    100 * width * height >= host.offsetWidth * host.offsetHeight
  );
}

/** Whether enough of a slot is in view to count as viewable after a second. */
export function isHalf({
  intersectionRatio,
  boundingClientRect: { width, height },
}: IntersectionObserverEntry): boolean {
  const area = width * height;
  return area > 0 && intersectionRatio >= (area > LARGE ? 0.3 : 0.5);
}
