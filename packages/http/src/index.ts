export { WIDGET_FILES } from '@broadsheet/ad-widget/files';
export { assetResponse } from './assets/asset-response.ts';
export { loadAsset, widgetVersion } from './assets/assets.ts';
export { createServer } from './create-server.ts';
export type { RateLimits } from './limits/rate-limits.ts';
export { createLog, type Logger } from './ops/log.ts';
export { LOG_LEVELS, type LogLevel } from './ops/log-level.ts';
export { printable } from './ops/printable.ts';
export type { RunningServer, ServerOptions } from './server-options.ts';
