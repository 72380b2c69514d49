import { describeHostileInput } from './hostile.suite.ts';

// This many on each database, which makes 100,000 in total.
describeHostileInput(Number(process.env['HOSTILE_REQUESTS'] ?? 50_000));
