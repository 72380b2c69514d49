export { writeSampleFigures } from './sample-figures.ts';
export { type DemoOptions, type RunningDemo, startDemo } from './start-demo.ts';
