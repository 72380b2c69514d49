// One file with the code that a program that lists posts does not need. The first call that needs it loads it.
export { visitorTask } from './ads/visitor-task.ts';
export { previewTask, requestTask } from './calls/request.ts';
export { redirectTarget } from './request/redirect.ts';
export { readOther } from './response/read-other.ts';
