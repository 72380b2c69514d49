/** Square pixels above which 30 % of an ad is enough, instead of half of it (the Media Rating Council's definition). */
const LARGE = 242_500;
/** Pixels. Nobody reads an ad that is narrower. */
const SLIVER = 50;

/**
 * False for a slot in the layout that cannot be seen because it is faded out, a sliver, or scaled to a dot:
 * intersection observers do not report this. A slot without a height before it is filled, as nothing reserves one, can
 * be seen.
 */
export function canBeSeen(host: HTMLElement): boolean {
  const { width, height } = host.getBoundingClientRect();
  return (
    host.isConnected &&
    (width > SLIVER || !host.clientHeight) &&
    (host.checkVisibility?.({ visibilityProperty: true, opacityProperty: true }) ?? true) &&
    // Scaled to at least a tenth of its layout size in each direction.
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
