export { findBinaries, ownerNamed } from './testing/postgres.ts';
