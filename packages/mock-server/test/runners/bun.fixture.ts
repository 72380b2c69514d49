import type { TestRunner } from '@broadsheet/mock-server/jest';
import { defineTests } from './world-test.fixture.ts';

// Bun defines them only in test files, not in the modules that those import.
declare const test: TestRunner['test'];
declare const afterEach: TestRunner['afterEach'];
defineTests({ test, afterEach });
