import { test } from 'vitest';

// Stands in for the browser project, so that the closing lines count what was not run.
test.skip('the browser project needs Chromium', () => {});
