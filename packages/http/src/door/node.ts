export { send } from './api-door.ts';
export { listenToAll } from './broken-request.ts';
export { atEndOfTurn, nodeRequest } from './node-request.ts';
