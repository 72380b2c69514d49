/**
 * What most pages never need, in one file that is loaded when any of it is needed: the results of clicks, failures and
 * retries, advice, and slots without an ad.
 */
export { advise } from './advice/advice.ts';
export { followClick, resumeClicks } from './clicks/follow-click.ts';
export { backOff } from './delivery/backoff.ts';
export { DeliveryError, errorOf } from './delivery/delivery-error.ts';
export { recover } from './delivery/recover.ts';
export { repeat } from './delivery/repeat.ts';
export { view } from './delivery/viewable.ts';
export { collapse } from './drawing/collapse.ts';
export { isCovered, rotate } from './slots/rotate.ts';
