/** The settings of the playground: formats, look and consent. */
export interface Choice {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly formats: readonly string[];
  /** Replaces "Advertisement"; empty for the language of the page. */
  readonly label: string;
  /** A value of `data-consent`; empty for none. */
  readonly consent: string;
  /** The values of the changed CSS variables, by their names without `--broadsheet-`. */
  readonly look: Readonly<Record<string, string>>;
  /** The hosts of the ads' images, for the policy; empty to allow all. */
  readonly images: string;
}

const quoted = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The tags for the head. */
export function tag({ baseUrl, apiKey, consent }: Choice): string {
  const address = quoted(baseUrl.replace(/\/+$/, ''));
  return `<link rel="stylesheet" href="${address}/broadsheet.css">
<script async src="${address}/broadsheet.js"
        data-base-url="${address}" data-api-key="${quoted(apiKey)}"${consent ? ` data-consent="${quoted(consent)}"` : ''}></script>`;
}

/** The elements of the slots. */
export function slots({ formats, label }: Choice): string {
  const attributes = label ? ` label="${quoted(label)}"` : '';
  return formats
    .map(
      (format) => `<broadsheet-slot name="${format.toLowerCase()}" format="${format}"${attributes}></broadsheet-slot>`,
    )
    .join('\n');
}

/** The sources to add to the page's Content-Security-Policy. */
export function policy({ baseUrl, images }: Choice): string {
  const { origin } = new URL(baseUrl);
  return `script-src ${origin}; style-src ${origin}; connect-src ${origin}; img-src ${images.trim() || 'https:'}`;
}

/** The style sheet for the changed variables; empty if none was changed. */
export function style({ look }: Choice): string {
  const lines = Object.entries(look).map(([name, value]) => `  --broadsheet-${name}: ${value};`);
  return lines.length > 0 ? `broadsheet-slot {\n${lines.join('\n')}\n}` : '';
}
