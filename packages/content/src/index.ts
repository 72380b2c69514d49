export type { NotedSnapshot, ReadContentOptions } from './noted-snapshot.ts';
export { readContent, readUpload } from './read-content.ts';
