export { type DemoOptions, type RunningDemo, startDemo } from './start-demo.ts';
