/**
 * The code that most pages never need, in one file. It is loaded when the page is idle, or earlier when it is needed.
 */
export { advise } from './advice/advice.ts';
export { followClick } from './clicks/follow-click.ts';
export { errorOf } from './delivery/delivery-error.ts';
export { createRecovery } from './delivery/recovery.ts';
export { prepareChild } from './slots/child.ts';
export { Clock } from './slots/clock.ts';
