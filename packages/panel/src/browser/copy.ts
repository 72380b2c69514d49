/** Adds a copy button to every element that offers its text for copying. */
export function offerCopying(): void {
  for (const source of document.querySelectorAll<HTMLElement>('[data-copy]')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'button small copy';
    button.textContent = 'Copy';
    const name = source.dataset['copy'];
    if (name) button.setAttribute('aria-label', `Copy ${name}`);
    const status = document.createElement('span');
    status.className = 'hint';
    status.setAttribute('role', 'status');
    button.addEventListener('click', async () => {
      status.textContent = (await copied(source)) ? ' Copied.' : ' The text is selected: copy it with the keyboard.';
    });
    source.after(button, status);
  }
}

async function copied(source: HTMLElement): Promise<boolean> {
  const text = source instanceof HTMLTextAreaElement ? source.value : (source.textContent ?? '');
  try {
    // navigator.clipboard exists only on https and localhost.
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    if (source instanceof HTMLTextAreaElement) source.select();
    else getSelection()?.selectAllChildren(source);
    return document.execCommand('copy');
  }
}
