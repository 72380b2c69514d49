// What a program that lists posts does not need: one chunk, which the first call that needs it loads.
export { placementsOf } from './ads/placements.ts';
export { visitorHeaders } from './ads/visitor.ts';
export { failedAnswer } from './answer/failed-answer.ts';
export { reportDrift } from './answer/report-drift.ts';
export { requestTask } from './calls/request.ts';
export { redirectRefused } from './request/redirect-refused.ts';
