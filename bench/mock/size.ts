import { pageSize, WHOLE_DOOR, WORKING_PAGE } from '../../packages/mock-server/test/support/page-size.ts';
import type { BenchOptions, Finding } from '../budget.ts';

/** Kilobytes that a page loads for a working world, without MSW. */
export async function size({ say }: BenchOptions): Promise<Finding[]> {
  say('mock size');
  const page = await pageSize(WORKING_PAGE);
  const door = await pageSize(WHOLE_DOOR);
  const note = `with every export ${door.kilobytes.toFixed(1)}; loaded on demand: ${page.later.map((path) => path.split('/').at(-1)?.replace('.js', '')).join(', ')}`;
  return [{ id: 'mock.size', ours: page.kilobytes, note }];
}
