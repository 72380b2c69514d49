export { Disagreement } from './expect.ts';
export type { OpenStore, StoreCase } from './store/store-case.ts';
export { storeCases } from './store-cases.ts';
