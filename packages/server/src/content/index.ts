export type { ContentProblem } from './problem.ts';
export { type ContentResult, type ReadContentOptions, readContent } from './read-content.ts';
