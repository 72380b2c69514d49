import type { MarkdownRenderer } from 'vitepress';

/** Makes empty header cells data cells: a screen reader would announce a header without a name. */
export function emptyHeaders(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('empty_headers', ({ tokens }) => {
    for (const [index, cell] of tokens.entries()) {
      const [content, end] = tokens.slice(index + 1);
      if (cell.type !== 'th_open' || content?.content !== '' || !end) continue;
      cell.tag = 'td';
      end.tag = 'td';
    }
  });
}
