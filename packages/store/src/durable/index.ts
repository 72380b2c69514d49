export { keyHash } from '../blogs/api-key.ts';
export { BLOG_VERBS } from '../management/managed-store.ts';
export type { DurableStorage } from './driver.ts';
export { type DurableStore, openDurableStore } from './open-durable-store.ts';
