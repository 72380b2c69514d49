/**
 * An element and its ancestors as they are rendered: those outside of its shadow roots, and those inside the shadow root
 * of a component into which it is slotted.
 */
export function* ancestors(element: Element): Generator<Element> {
  for (
    let node: Node | null = element;
    node;
    node = (node as Partial<Element>).assignedSlot ?? node.parentNode ?? (node as ShadowRoot).host
  ) {
    if (node instanceof Element) yield node;
  }
}
