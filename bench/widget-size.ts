import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import type { BenchOptions, Finding } from './budget.ts';
import { root } from './child.ts';
import { widgetPage } from './widget-page.ts';

/** What a page that embeds the widget loads before anything is on demand. */
const FILES = ['broadsheet.js', 'broadsheet.css'];
const ON_DEMAND = ['broadsheet-popup.js', 'broadsheet-consent-platform.js', 'broadsheet-advice.js'];

const PAGE = ['widget.script-time', 'widget.requests', 'widget.layout-shift'];

/** Kilobytes (1,024 bytes) of the built widget, compressed by brotli. */
export async function widgetSize(options: BenchOptions): Promise<Finding[]> {
  options.say('widget size: building');
  execFileSync('pnpm', ['--filter', '@broadsheet/ad-widget', 'build'], { cwd: root, stdio: 'pipe' });
  const kilobytes = (name: string): number =>
    brotliCompressSync(readFileSync(`${root}packages/ad-widget/dist/${name}`)).length / 1024;
  const note = [...FILES, ...ON_DEMAND].map((name) => `${name} ${kilobytes(name).toFixed(2)}`).join(', ');
  return [
    {
      id: 'widget.size',
      ours: FILES.reduce((sum, name) => sum + kilobytes(name), 0),
      note: `${note}; the last three on demand`,
    },
    ...(await widgetPage(options).catch((cause: Error) => PAGE.map((id) => ({ id, notMeasured: cause.message })))),
  ];
}
