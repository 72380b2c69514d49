import { pageSize, WHOLE_DOOR, WORKING_PAGE } from '../../packages/mock-server/test/support/page-size.ts';
import type { BenchOptions, Finding } from '../budget.ts';

/** Kilobytes a page loads for a working world, MSW not counted. */
export async function size({ say }: BenchOptions): Promise<Finding[]> {
  say('mock size');
  const page = await pageSize(WORKING_PAGE);
  const door = await pageSize(WHOLE_DOOR);
  const note = `with every export ${door.kilobytes.toFixed(1)}; loaded when asked for: ${page.later.map((path) => path.split('/').at(-1)?.replace('.js', '')).join(', ')}`;
  return [{ id: 'mock.size', ours: page.kilobytes, note }];
}
