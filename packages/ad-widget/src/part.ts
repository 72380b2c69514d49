/** An element named for `::part()` and for our own style by the same word. Its text finds its own direction. */
export function part(tag: string, name: string, text?: string, attributes: Record<string, string> = {}): HTMLElement {
  const made = document.createElement(tag);
  made.className = name;
  if (text) made.textContent = text;
  for (const entry of Object.entries({
    part: name.split(' ', 1).join(),
    ...(text && { dir: 'auto' }),
    ...attributes,
  })) {
    made.setAttribute(...entry);
  }
  return made;
}
