export { writeSampleActivity } from './sample-activity.ts';
export { writeSampleFigures } from './sample-figures.ts';
export { DEMO_FILES } from './site-files.ts';
export { type DemoOptions, type RunningDemo, startDemo } from './start-demo.ts';
