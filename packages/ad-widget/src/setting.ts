/** A setting of a slot: `name` on the element, `data-name` on a plain `div`. */
export function setting(host: Element, name: string): string | null {
  return host.getAttribute(name) ?? host.getAttribute(`data-${name}`);
}
