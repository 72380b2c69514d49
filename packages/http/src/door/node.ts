export { listenToAll } from './broken-request.ts';
export { nodeRequest } from './node-request.ts';
