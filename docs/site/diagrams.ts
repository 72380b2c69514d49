import { renderMermaidSVG } from 'beautiful-mermaid';
import type { MarkdownRenderer } from 'vitepress';

/** Draws Mermaid when the site is built: a page loads no library for it, and follows the colours of the theme. */
export function diagrams(markdown: MarkdownRenderer): void {
  const { fence } = markdown.renderer.rules;
  if (!fence) throw new Error('VitePress has no rule for fenced code any more');
  markdown.renderer.rules.fence = (...args) => {
    const [tokens, index] = args;
    const token = tokens[index];
    if (token?.info.trim() !== 'mermaid') return fence(...args);
    const svg = renderMermaidSVG(token.content, {
      bg: 'var(--vp-c-bg)',
      fg: 'var(--vp-c-text-1)',
      accent: 'var(--vp-c-brand-1)',
      transparent: true,
    });
    // Its fonts would come from elsewhere.
    const own = svg
      .replaceAll(/@import url\([^)]*\);?/g, '')
      .replaceAll(/font-family:[^;}"]+/g, 'font-family: inherit');
    // By v-html, since Vue would leave the style sheet of the picture out.
    const text = encodeURIComponent(own).replaceAll("'", '%27');
    return `<div class="diagram" tabindex="0" v-html="decodeURIComponent('${text}')"></div>\n`;
  };
}
