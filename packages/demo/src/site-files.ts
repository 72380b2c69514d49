import type { BrowserFile } from '@broadsheet/http';

export const DEMO_JS: BrowserFile = { name: 'demo.js', source: new URL('./browser/main.ts', import.meta.url) };
export const DEMO_CSS: BrowserFile = { name: 'demo.css', source: new URL('./browser/css/site.css', import.meta.url) };

export const DEMO_FILES: readonly BrowserFile[] = [DEMO_JS, DEMO_CSS];

/** The folder of pictures and texts: the folder of this file, or `dist/demo` in the published server. */
export const CONTENT = new URL(import.meta.url.endsWith('.ts') ? './' : './demo/', import.meta.url);
