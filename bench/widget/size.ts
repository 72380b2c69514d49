import { brotliCompressSync } from 'node:zlib';
import { widgetFiles } from '../../packages/ad-widget/tools/files.ts';
import type { BenchOptions, Finding } from '../budget.ts';

/** Bytes of the script tag and the style sheet, compressed with brotli. */
export async function size({ say }: BenchOptions): Promise<Finding[]> {
  say('widget size: building');
  const sizes = [...(await widgetFiles())].map(([name, code]) => ({
    name,
    bytes: brotliCompressSync(code).length,
    onDemand: name.includes('-'),
  }));
  const note = sizes.map(({ name, bytes, onDemand }) => `${name} ${bytes}${onDemand ? '*' : ''}`);
  return [
    {
      id: 'widget.size',
      ours: sizes.reduce((sum, { bytes, onDemand }) => sum + (onDemand ? 0 : bytes), 0),
      note: `${note.join(', ')}; * on demand`,
    },
  ];
}
