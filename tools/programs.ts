export { CHROMIUM, FIREFOX, findProgram } from './testing/programs.ts';
