export { BlogObject } from './objects/blog-object.ts';
export type { Environment } from './objects/environment.ts';
export { worker as default } from './worker.ts';
