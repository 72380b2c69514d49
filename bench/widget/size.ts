import { brotliCompressSync } from 'node:zlib';
import { widgetFiles } from '../../packages/ad-widget/tools/files.ts';
import type { BenchOptions, Finding } from '../budget.ts';

/** Kilobytes (1,024 bytes) that the script tag and the style sheet load, compressed by brotli. */
export async function size({ say }: BenchOptions): Promise<Finding[]> {
  say('widget size: building');
  const sizes = [...(await widgetFiles())].map(([name, code]) => ({
    name,
    kilobytes: brotliCompressSync(code).length / 1024,
    onDemand: name.includes('-'),
  }));
  const note = sizes.map(({ name, kilobytes, onDemand }) => `${name} ${kilobytes.toFixed(2)}${onDemand ? '*' : ''}`);
  return [
    {
      id: 'widget.size',
      ours: sizes.reduce((sum, { kilobytes, onDemand }) => sum + (onDemand ? 0 : kilobytes), 0),
      note: `${note.join(', ')}; * on demand`,
    },
  ];
}
