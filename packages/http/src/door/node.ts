export { send } from './api-door.ts';
export { listenToAll } from './broken-request.ts';
export { nodeRequest } from './node-request.ts';
