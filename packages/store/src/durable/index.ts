export { keyHash } from '../blogs/api-key.ts';
export type { DurableStorage } from './driver.ts';
export { openDurableStore } from './open-durable-store.ts';
