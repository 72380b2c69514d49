import { describeHostileInput } from './hostile.suite.ts';

describeHostileInput(1000);
