/**
 * The Markdown of a page for the search index, with plain code, because syntax highlighting takes most of the time of a
 * build.
 */
export function withoutHighlighting(text: string): string {
  return text.replaceAll(/^```\w+[^\n]*\n(?:.*?^\/\/ ---cut---\n)?(.*?)^```$/gms, '```\n$1```');
}
