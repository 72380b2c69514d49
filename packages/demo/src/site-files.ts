import type { BrowserFile } from '@broadsheet/http';

export const DEMO_JS: BrowserFile = { name: 'demo.js', source: new URL('./site/main.ts', import.meta.url) };
export const DEMO_CSS: BrowserFile = { name: 'demo.css', source: new URL('./site/css/site.css', import.meta.url) };

/** What the demo's page loads of the demo's own. */
export const DEMO_FILES: readonly BrowserFile[] = [DEMO_JS, DEMO_CSS];
