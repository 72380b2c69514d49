// The parts of the product that a simulation runs.
export { type ApiRequest, type BlogApi, buffered, createApi } from '../../packages/core/src/index.ts';
export { COMMAND_LINE, COMMANDS, runCommand } from '../../packages/management/src/index.ts';
export type { SqlStore } from '../../packages/store/src/index.ts';
export { openStore } from '../../packages/store/src/open-store.ts';
