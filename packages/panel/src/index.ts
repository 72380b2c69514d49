export { newPanelToken } from './door/token.ts';
export { createPanel, type Panel, type PanelOptions } from './panel.ts';
