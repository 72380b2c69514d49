import type { BrowserFile } from '@broadsheet/http';

const made = (name: string, source: string): BrowserFile => ({ name, source: new URL(source, import.meta.url) });

/** The style sheet of reports, which they contain. */
export const REPORT_STYLE = made('panel-report.css', './browser/css/report.css');

export const PANEL_FILES: readonly BrowserFile[] = [
  made('panel.js', './browser/main.ts'),
  made('panel.css', './browser/css/panel.css'),
  made('panel-preview.js', './browser/preview.ts'),
  REPORT_STYLE,
];
