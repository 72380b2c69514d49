import type { BrowserFile } from '@broadsheet/http';

const made = (name: string, source: string): BrowserFile => ({ name, source: new URL(source, import.meta.url) });

/** What the pages of the panel load of the panel's own. */
export const PANEL_FILES: readonly BrowserFile[] = [
  made('panel.js', './browser/main.ts'),
  made('panel.css', './browser/css/panel.css'),
  made('panel-preview.js', './browser/preview.ts'),
];
