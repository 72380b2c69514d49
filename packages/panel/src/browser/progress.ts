/** Milliseconds between two requests for the progress of an import. */
const EVERY = 300;

interface Progress {
  readonly text?: string;
  readonly done?: number;
  readonly total?: number;
}

/** Shows the progress of a form with files while the browser uploads it and waits for the next page. */
export function showProgress(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-progress]')) {
    const status = document.createElement('p');
    status.setAttribute('role', 'status');
    const bar = document.createElement('progress');
    bar.setAttribute('aria-label', 'Progress of the import');
    bar.hidden = true;
    form.append(status, bar);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = (waiting: boolean): void => {
      clearTimeout(timer);
      bar.hidden = !waiting;
      bar.removeAttribute('value');
      status.textContent = waiting ? 'Uploading …' : '';
      for (const button of form.querySelectorAll('button')) button.disabled = waiting;
    };
    form.addEventListener('submit', () => {
      const name = [...crypto.getRandomValues(new Uint32Array(4))].map((number) => number.toString(36)).join('-');
      const url = new URL(form.action);
      const look = async (): Promise<void> => {
        try {
          const response = await fetch(`${url.pathname}/progress?name=${name}`);
          show(status, bar, (await response.json()) as Progress);
        } catch {
          // Only the response to the form matters.
        }
        timer = setTimeout(look, EVERY);
      };
      url.searchParams.set('progress', name);
      form.action = url.href;
      wait(true);
      timer = setTimeout(look, EVERY);
    });
    // The page was restored from the back/forward cache.
    addEventListener('pageshow', ({ persisted }) => {
      if (persisted) wait(false);
    });
  }
}

/** Screen readers announce the text, so it changes with each phase and not with each step. */
function show(status: HTMLElement, bar: HTMLProgressElement, progress: Progress): void {
  if (progress.text === undefined) return;
  const text = `${progress.text} …`;
  if (status.textContent !== text) status.textContent = text;
  if (progress.done === undefined || progress.total === undefined) {
    bar.removeAttribute('value');
    return;
  }
  bar.max = progress.total;
  bar.value = progress.done;
}
