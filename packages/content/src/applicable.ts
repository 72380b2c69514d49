import type { ReadContentOptions } from './noted-snapshot.ts';
import type { ContentProblem } from './problem.ts';

/** The kind of the imported content, to follow the word "is". */
const SOURCES = { markdown: 'a folder of Markdown', ghost: 'a Ghost export', snapshot: 'a snapshot' } as const;
type Source = keyof typeof SOURCES;

/** The options that apply to some sources, with their flags. */
const LIMITED: readonly (readonly [option: keyof ReadContentOptions, flag: string, sources: readonly Source[]])[] = [
  ['skipBad', '--skip-bad', ['markdown']],
  ['html', '--html', ['markdown']],
  ['allowMissing', '--allow-missing', ['markdown', 'ghost']],
  ['root', '--root', ['markdown', 'ghost']],
  ['name', '--name', ['markdown', 'ghost']],
  ['media', '--media', ['snapshot']],
];

/** The given options that have no effect on this source; `at` is its name in problems. */
export function inapplicable(at: string, source: Source, options: ReadContentOptions): ContentProblem[] {
  return LIMITED.flatMap(([option, flag, sources]) => {
    const isGiven = options[option] !== undefined && options[option] !== false;
    if (!isGiven || sources.includes(source)) return [];
    const others = sources.map((name) => SOURCES[name]).join(' or ');
    return [{ at, message: `is ${SOURCES[source]}; ${option} (${flag}) applies to ${others}` }];
  });
}
