export type { ContentProblem } from './problem.ts';
export { type NotedSnapshot, readContent } from './read-content.ts';
