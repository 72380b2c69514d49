/** Shows the value of the day under the pointer, which every drawing holds as its title. */
export function showValues(): void {
  for (const chart of document.querySelectorAll<HTMLElement>('[data-chart]')) {
    const tip = chart.querySelector<HTMLElement>('[data-tip]');
    if (!tip) continue;
    // The browser's own tooltip comes late and would cover ours.
    const words = new Map<Element, string>();
    for (const hit of chart.querySelectorAll('[data-day]')) {
      words.set(hit, hit.querySelector('title')?.textContent ?? '');
      hit.replaceChildren();
    }
    const hide = (): void => {
      tip.hidden = true;
    };
    chart.addEventListener('pointermove', ({ target, clientX }) => {
      const text = target instanceof Element ? words.get(target) : undefined;
      if (text === undefined) return hide();
      tip.textContent = text;
      tip.hidden = false;
      const frame = chart.getBoundingClientRect();
      const left = Math.max(0, Math.min(clientX - frame.left - tip.offsetWidth / 2, frame.width - tip.offsetWidth));
      tip.style.setProperty('left', `${left}px`);
    });
    chart.addEventListener('pointerleave', hide);
  }
}
