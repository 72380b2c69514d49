export { reportNotFound } from './access/headers.ts';
export { createPanelApp } from './panel.ts';
export { PANEL_FILES } from './panel-files.ts';
export type { PanelOptions, RunAlone } from './panel-options.ts';
