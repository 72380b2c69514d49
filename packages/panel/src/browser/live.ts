/** Milliseconds between two updates of the figures. */
const EVERY = 4000;

/** Updates the numbers and lines of the page while it is visible. */
export function updateFigures(): void {
  if (!document.querySelector('[data-live]')) return;
  const timer = setInterval(async () => {
    if (document.hidden) return;
    const response = await fetch(`${location.pathname}/live.json${location.search}`).catch(() => undefined);
    if (response?.ok) show(await response.json());
    // The person was signed out in the meantime; the next click leads to the sign-in page.
    else if (response?.status === 401) clearInterval(timer);
  }, EVERY);
}

/** @param values texts, and the paths of lines, by the ids of their elements */
function show(values: Readonly<Record<string, string>>): void {
  for (const element of document.querySelectorAll<HTMLElement | SVGElement>('[data-live]')) {
    const value = values[element.dataset['live'] ?? ''];
    if (value === undefined) continue;
    if (element.hasAttribute('d')) element.setAttribute('d', value);
    else if (element.textContent !== value) change(element, value);
  }
}

function change(element: Element, text: string): void {
  element.textContent = text;
  element.classList.remove('changed');
  // Forces a reflow, so that the animation of the class restarts.
  element.getBoundingClientRect();
  element.classList.add('changed');
}
