/** An element and those around it, also outside the shadow roots that it is in. */
export function* ancestors(element: Element): Generator<Element> {
  for (let node: Node | null = element; node; node = node.parentNode ?? (node as ShadowRoot).host) {
    if (node instanceof Element) yield node;
  }
}
