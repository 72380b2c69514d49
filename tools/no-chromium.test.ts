import { test } from 'vitest';

// Replaces the browser project, so that the summary counts it as skipped.
test.skip('the browser project needs Chromium', () => {});
