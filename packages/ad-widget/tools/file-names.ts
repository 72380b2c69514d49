/**
 * The files that a page loads by script tag and style sheet, and those that the script loads when a page needs them.
 */
export const WIDGET_FILES = [
  'broadsheet.js',
  'broadsheet.css',
  'broadsheet-reach.js',
  'broadsheet-popup.js',
  'broadsheet-consent-platform.js',
  'broadsheet-on-demand.js',
  'broadsheet-rehearsal.js',
  'broadsheet-overlay.js',
] as const;

/** The name of one of them. */
export type WidgetFileName = (typeof WIDGET_FILES)[number];
