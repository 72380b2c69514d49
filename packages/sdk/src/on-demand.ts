// One chunk of what a program that lists posts does not need. The first call that needs it loads it.
export { visitorHeaders } from './ads/visitor.ts';
export { failedAnswer } from './answer/failed-answer.ts';
export { reportDrift } from './answer/report-drift.ts';
export { previewTask } from './calls/preview.ts';
export { requestTask } from './calls/request.ts';
export { redirectRefused } from './request/redirect-refused.ts';
