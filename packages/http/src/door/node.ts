export { atEndOfTurn, nodeRequest, send } from './api-door.ts';
export { listenToAll } from './broken-request.ts';
