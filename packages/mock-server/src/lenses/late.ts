// One module, so that a bundler puts into one file what pages load on first use together with the schema library.
export { problemsOf } from '../journal/problems.ts';
export { throughLens } from './apply-lens.ts';
export { changeAnswer } from './change-answer.ts';
