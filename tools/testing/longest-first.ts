import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The long tests that take more than half a minute, the longest first. In a new clone, Vitest knows only the sizes of
 * files, and some of the smallest run for minutes.
 */
export const LONGEST: readonly string[] = [
  'packages/ad-widget/test/money.long.test.ts',
  'tools/prove/prove.long.test.ts',
  'docs/site/built-site.long.test.ts',
  'packages/workers/test/model/stores-agree.long.test.ts',
  'packages/ad-widget/test/may-send.long.test.ts',
  'packages/ad-widget/test/look.long.test.ts',
  'packages/server/test/frameworks.long.test.ts',
  'packages/mock-server/test/parity-mutants.long.test.ts',
  'tools/nextjs.long.test.ts',
  'tools/guides.long.test.ts',
  'packages/server/test/workflow.long.test.ts',
  'packages/panel/test/hostile-text.long.test.ts',
  'packages/ad-widget/test/recovery.long.test.ts',
  'packages/ad-widget/test/shown.long.test.ts',
  'packages/panel/test/publisher.long.test.ts',
  'packages/server/test/sell-ads.long.test.ts',
  'packages/server/test/rolling-restart.long.test.ts',
  'packages/server/test/slow-import.long.test.ts',
  'packages/server/test/kill.long.test.ts',
  'packages/mock-server/test/parity-correct.long.test.ts',
  'packages/panel/test/pages.long.test.ts',
  'packages/server/test/stop-import.long.test.ts',
];

/** Starts the longest tests first, so that no worker runs one alone at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = LONGEST.indexOf(relative(this.ctx.config.root, moduleId));
      return at === -1 ? LONGEST.length : at;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}
