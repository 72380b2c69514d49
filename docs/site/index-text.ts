/** The Markdown of a page for the search index: code is plain there, for compiling and colouring it is most of a build. */
export function withoutHighlighting(text: string): string {
  return text.replaceAll(/^```\w+[^\n]*\n(?:.*?^\/\/ ---cut---\n)?(.*?)^```$/gms, '```\n$1```');
}
