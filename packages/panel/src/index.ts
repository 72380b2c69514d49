export { createPanel, type Panel } from './panel.ts';
export { PANEL_FILES } from './panel-files.ts';
export type { PanelOptions } from './panel-options.ts';
