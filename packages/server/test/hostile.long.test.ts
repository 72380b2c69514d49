import { describeHostileInput } from './hostile.suite.ts';

// On each database, which makes 100,000 in all.
describeHostileInput(Number(process.env['HOSTILE_REQUESTS'] ?? 50_000));
