/** Markup that is safe to place into a page as it is. */
export interface Html {
  readonly markup: string;
}

type Value = string | number | Html | readonly Html[] | undefined;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A template whose values are escaped, unless they are {@link Html} themselves. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  const markup = strings.map((text, index) => text + (index < values.length ? render(values[index]) : '')).join('');
  return { markup };
}

/** Text where pairs of backticks mean code, as in the error catalogue. */
export function prose(text: string): Html[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}

function render(value: Value): string {
  if (value === undefined) return '';
  if (typeof value === 'object') return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('');
  return String(value).replace(/[&<>"']/g, (char) => ESCAPES[char] ?? char);
}
