export { newPanelToken } from './door/token.ts';
export { createPanel, type Panel } from './panel.ts';
export type { PanelOptions } from './panel-options.ts';
