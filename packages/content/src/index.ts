export type { ContentProblem } from './problem.ts';
export { type NotedSnapshot, readContent } from './read-content.ts';
export { isDomain } from './snapshot/domains.ts';
