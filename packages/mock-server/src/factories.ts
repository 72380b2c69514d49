export { createFactories, type Factories } from './data/factories.ts';
export type { Factory } from './data/factory.ts';
export type { StoredFactories } from './data/stored-factories.ts';
