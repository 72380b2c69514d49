import type { MarkdownRenderer } from 'vitepress';

/** An empty cell in the head of a table is no header: a screen reader would announce one without a name. */
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
