/** An element and its ancestors, including those outside of its shadow roots. */
export function* ancestors(element: Element): Generator<Element> {
  for (let node: Node | null = element; node; node = node.parentNode ?? (node as ShadowRoot).host) {
    if (node instanceof Element) yield node;
  }
}
