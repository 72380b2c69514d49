/** Milliseconds between two updates of the figures. */
const EVERY = 4000;

/** Reloads the page in the background while it is visible, and updates its numbers and lines. */
export function keepFiguresMoving(): void {
  if (!document.querySelector('[data-live]')) return;
  const timer = setInterval(() => {
    if (document.hidden) return;
    // XMLHttpRequest parses a page without running scripts. Trusted Types allow it, but not DOMParser.
    const request = new XMLHttpRequest();
    request.responseType = 'document';
    request.addEventListener('load', () => {
      if (request.status === 200 && request.responseXML) show(request.responseXML);
      // The person was signed out in the meantime; the next click leads to the sign-in page.
      else if (request.status === 401) clearInterval(timer);
    });
    request.open('GET', location.href);
    request.send();
  }, EVERY);
}

function show(page: Document): void {
  for (const element of document.querySelectorAll<HTMLElement | SVGElement>('[data-live]')) {
    const current = page.querySelector(`[data-live="${CSS.escape(element.dataset['live'] ?? '')}"]`);
    if (!current) continue;
    const path = current.getAttribute('d');
    if (path !== null) element.setAttribute('d', path);
    if (element.textContent === current.textContent) continue;
    element.textContent = current.textContent;
    element.classList.remove('changed');
    // Forces a reflow, so that the animation of the class restarts.
    element.getBoundingClientRect();
    element.classList.add('changed');
  }
}
