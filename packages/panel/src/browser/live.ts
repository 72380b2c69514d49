/** Milliseconds between two looks at the figures. */
const EVERY = 4000;

/** Updates numbers and lines from the page itself, while it is visible. */
export function keepFiguresMoving(): void {
  if (!document.querySelector('[data-live]')) return;
  const timer = setInterval(() => {
    if (document.hidden) return;
    // It parses a page and runs nothing of it, which Trusted Types allow; DOMParser they do not.
    const request = new XMLHttpRequest();
    request.responseType = 'document';
    request.addEventListener('load', () => {
      if (request.status === 200 && request.responseXML) show(request.responseXML);
      // Signed out meanwhile: the next click shows it.
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
    // Read so that the class counts as new and its animation runs again.
    element.getBoundingClientRect();
    element.classList.add('changed');
  }
}
