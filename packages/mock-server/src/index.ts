export * from './exports.ts';
export { createMock } from './node.ts';
