// The parts of the product that a simulation runs.
export { type ApiRequest, type BlogApi, buffered, createApi } from '../../packages/core/src/index.ts';
export { COMMAND_LINE, COMMANDS, runCommand, type ServerStore } from '../../packages/management/src/index.ts';
export { openStore } from '../../packages/management/src/open-store.ts';
