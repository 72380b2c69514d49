/** Milliseconds between two looks at the figures of a page somebody looks at. */
const EVERY = 4000;

interface Live {
  readonly texts: Readonly<Record<string, string>>;
  readonly paths: Readonly<Record<string, string>>;
}

/** Lets numbers and lines follow what is counted, while the page is visible. */
export function keepFiguresMoving(): void {
  const address = document.querySelector<HTMLElement>('[data-live-from]')?.dataset['liveFrom'];
  if (!address) return;
  const look = async (): Promise<void> => {
    if (!document.hidden) {
      try {
        const answer = await fetch(address, { headers: { accept: 'application/json' } });
        // Signed out meanwhile: the page says so when it is loaded again.
        if (answer.status === 401 || answer.status === 404) return;
        if (answer.ok) show((await answer.json()) as Live);
      } catch {
        // Offline for now: the next look tries again.
      }
    }
    setTimeout(look, EVERY);
  };
  setTimeout(look, EVERY);
}

function show({ texts, paths }: Live): void {
  for (const element of document.querySelectorAll<HTMLElement | SVGElement>('[data-live]')) {
    const name = element.dataset['live'] ?? '';
    const [text, path] = [texts[name], paths[name]];
    if (path !== undefined) element.setAttribute('d', path);
    if (text === undefined || element.textContent === text) continue;
    element.textContent = text;
    element.classList.remove('changed');
    // Read so that the class counts as new and its animation runs again.
    element.getBoundingClientRect();
    element.classList.add('changed');
  }
}
