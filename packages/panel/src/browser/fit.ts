/** Shrinks what is wider than its place until it fits, as a whole. */
export function fitFrames(): void {
  for (const place of document.querySelectorAll<HTMLElement>('[data-fit]')) {
    const frame = place.querySelector('iframe');
    if (!frame) continue;
    const fit = (): void => {
      const scale = Math.min(1, place.clientWidth / frame.offsetWidth);
      frame.style.setProperty('transform', `scale(${scale})`);
      place.style.setProperty('height', `${frame.offsetHeight * scale}px`);
    };
    const watch = new ResizeObserver(fit);
    watch.observe(place);
    // Its height goes by the format.
    watch.observe(frame);
  }
}
