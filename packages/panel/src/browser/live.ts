/** Milliseconds between two updates of the figures. */
const EVERY = 4000;

/** Updates the numbers and lines of the page while it is visible, with those of the same page as it is now. */
export function keepFiguresMoving(): void {
  if (!document.querySelector('[data-live]')) return;
  const timer = setInterval(() => {
    if (document.hidden) return;
    // This request parses HTML, which Trusted Types forbid everywhere else, and runs none of its scripts.
    const request = new XMLHttpRequest();
    request.open('GET', location.href);
    request.responseType = 'document';
    request.onload = () => {
      if (request.status === 200 && request.responseXML) show(request.responseXML);
      // The person was signed out in the meantime; the next click leads to the sign-in page.
      else if (request.status === 401) clearInterval(timer);
    };
    request.send();
  }, EVERY);
}

function show(page: Document): void {
  const found = new Map([...page.querySelectorAll('[data-live]')].map((one) => [one.getAttribute('data-live'), one]));
  for (const element of document.querySelectorAll('[data-live]')) {
    const now = found.get(element.getAttribute('data-live'));
    const path = now?.getAttribute('d');
    if (typeof path === 'string') element.setAttribute('d', path);
    else if (now && element.textContent !== now.textContent) change(element, now.textContent);
  }
}

function change(element: Element, text: string | null): void {
  element.textContent = text;
  element.classList.remove('changed');
  // Forces a reflow, so that the animation of the class restarts.
  element.getBoundingClientRect();
  element.classList.add('changed');
}
