export type { NotedSnapshot, ReadContentOptions } from './noted-snapshot.ts';
export type { ContentProblem } from './problem.ts';
export { type ContentResult, readContent, readUpload } from './read-content.ts';
