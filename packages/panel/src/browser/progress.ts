/** Milliseconds between two looks at how far an import is. */
const EVERY = 300;

interface Progress {
  readonly words?: string;
  readonly done?: number;
  readonly total?: number;
}

/** Shows how far a form with files is, while the browser sends it and waits for the page that answers it. */
export function showProgress(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-progress]')) {
    const words = document.createElement('p');
    words.setAttribute('role', 'status');
    const bar = document.createElement('progress');
    bar.setAttribute('aria-label', 'Progress of the import');
    bar.hidden = true;
    form.append(words, bar);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = (waiting: boolean): void => {
      clearTimeout(timer);
      bar.hidden = !waiting;
      bar.removeAttribute('value');
      words.textContent = waiting ? 'Uploading …' : '';
      for (const button of form.querySelectorAll('button')) button.disabled = waiting;
    };
    form.addEventListener('submit', () => {
      const name = [...crypto.getRandomValues(new Uint32Array(4))].map((number) => number.toString(36)).join('-');
      const address = new URL(form.action);
      const look = async (): Promise<void> => {
        try {
          const answer = await fetch(`${address.pathname}/progress?name=${name}`);
          show(words, bar, (await answer.json()) as Progress);
        } catch {
          // The answer of the form is what counts.
        }
        timer = setTimeout(look, EVERY);
      };
      address.searchParams.set('progress', name);
      form.action = address.href;
      wait(true);
      timer = setTimeout(look, EVERY);
    });
    // Gone back to, with what the browser kept of it.
    addEventListener('pageshow', ({ persisted }) => {
      if (persisted) wait(false);
    });
  }
}

/** The words are said aloud by screen readers, so they change with what is done and not with every step. */
function show(words: HTMLElement, bar: HTMLProgressElement, progress: Progress): void {
  if (progress.words === undefined) return;
  const text = `${progress.words} …`;
  if (words.textContent !== text) words.textContent = text;
  if (progress.done === undefined || progress.total === undefined) {
    bar.removeAttribute('value');
    return;
  }
  bar.max = progress.total;
  bar.value = progress.done;
}
