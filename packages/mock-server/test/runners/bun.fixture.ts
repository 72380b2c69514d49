import type { TestRunner } from '@broadsheet/mock-server/jest';
import { defineTests } from './world-test.fixture.ts';

// Bun gives them to the files of tests alone, not to what those import.
declare const test: TestRunner['test'];
declare const afterEach: TestRunner['afterEach'];
defineTests({ test, afterEach });
