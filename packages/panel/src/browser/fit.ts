/** Scales frames down that are wider than their container. */
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
    // The height of the frame depends on the format.
    watch.observe(frame);
  }
}
