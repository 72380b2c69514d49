export { WIDGET_FILES } from '@broadsheet/ad-widget/files';
export { assetResponse } from './assets/asset-response.ts';
export { type BrowserFile, compress, loadAsset, widgetVersion, writeAssets } from './assets/assets.ts';
export { createServer } from './create-server.ts';
export type { RateLimits } from './limits/rate-limits.ts';
export { createLog, LOG_LEVELS, type Logger, type LogLevel, printable } from './ops/log.ts';
export { preloadPages } from './pages.ts';
export type { RunningServer, ServerOptions } from './server-options.ts';
export { createSendRequest } from './webhooks/send-request.ts';
