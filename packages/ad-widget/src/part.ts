/** An element named for `::part()` and for our own style by the same word. Its text finds its own direction. */
export function part(tag: string, name: string, text?: string): HTMLElement {
  const made = document.createElement(tag);
  made.className = name;
  made.setAttribute('part', name.split(' ', 1).join());
  if (text) {
    made.setAttribute('dir', 'auto');
    made.textContent = text;
  }
  return made;
}
