/** An element named for `::part()` and for our own style by the same word. */
export function part(tag: string, name: string, ...content: (Node | string)[]): HTMLElement {
  const made = document.createElement(tag);
  made.className = name;
  made.setAttribute('part', name);
  made.append(...content);
  return made;
}
