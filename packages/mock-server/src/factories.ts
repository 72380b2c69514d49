export { createFactories, type Factories } from './data/factories.ts';
export type { Factory, StoredFactories } from './data/stored-factories.ts';
