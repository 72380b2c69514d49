import { brotliCompressSync } from 'node:zlib';
import { largestModules, widgetFiles } from '../../packages/ad-widget/tools/files.ts';
import type { BenchOptions, Finding } from '../budget.ts';

/** Bytes of the script and the style sheet, compressed with brotli, and the share that reports viewable ads. */
export async function size({ say }: BenchOptions): Promise<Finding[]> {
  say('widget size: building');
  const sizes = [...(await widgetFiles())].map(([name, code]) => ({
    name,
    bytes: brotliCompressSync(code).length,
    onDemand: name.includes('-'),
  }));
  const beacon = (await largestModules(Number.POSITIVE_INFINITY)).find(([path]) =>
    path.endsWith('delivery/viewable.ts'),
  );
  const note = sizes.map(({ name, bytes, onDemand }) => `${name} ${bytes}${onDemand ? '*' : ''}`);
  return [
    {
      id: 'widget.size',
      ours: sizes.reduce((sum, { bytes, onDemand }) => sum + (onDemand ? 0 : bytes), 0),
      note: `${note.join(', ')}; * on demand`,
    },
    { id: 'widget.beacon', ours: beacon?.[1] ?? 0, note: 'the module is loaded with the first viewable ad' },
  ];
}
