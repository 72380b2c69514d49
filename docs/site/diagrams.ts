import { renderMermaidSVG } from 'beautiful-mermaid';
import type { MarkdownRenderer } from 'vitepress';

/** Renders Mermaid when the site is built: pages load no library for it, and diagrams use the colours of the theme. */
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
    // Its fonts would be loaded from another origin.
    const own = svg
      .replaceAll(/@import url\([^)]*\);?/g, '')
      .replaceAll(/font-family:[^;}"]+/g, 'font-family: inherit');
    // Uses v-html, because Vue would drop the style element of the SVG.
    const text = encodeURIComponent(own).replaceAll("'", '%27');
    return `<div class="diagram" tabindex="0" v-html="decodeURIComponent('${text}')"></div>\n`;
  };
}
