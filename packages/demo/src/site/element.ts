type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;
type Child = Node | string | false | undefined;

/**
 * Makes an element. `true` writes an empty attribute; `false` and `undefined` leave the attribute or the child out.
 * Strings become text: nothing is parsed.
 */
export function el<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) made.setAttribute(name, value === true ? '' : String(value));
  }
  made.append(...children.filter((child) => child !== undefined && child !== false));
  return made;
}

/** The one element of the page's shell that `selector` names. @throws Error when the shell lacks it */
export function shell(selector: string): HTMLElement {
  const found = document.querySelector<HTMLElement>(selector);
  if (!found) throw new Error(`The page has no ${selector}; it was not made by broadsheet demo.`);
  return found;
}
