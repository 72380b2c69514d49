import type { Mutation } from './lens.ts';

/** Letters of the longest text: what is read in full, and what stands in a line. */
const HUGE = { content: 100 * 1024, line: 2000 };

/** Text that readers of an API meet sooner or later and seldom test with. */
export function hostileText(mutation: Mutation, text: string, name: string): string {
  switch (mutation) {
    case 'rtl':
      return `\u202Eשלום עולם\u202C ${text} مرحبا`;
    case 'astral':
      return `👩‍👩‍👧‍👦 𝒯ℯ𝓍𝓉 🏴󠁧󠁢󠁳󠁣󠁴󠁿 Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞ ${text}`;
    case 'html':
      return `<img src=x onerror="globalThis.broken=true"><script>globalThis.broken=true</script>"'&amp; ${text} {{7*7}}`;
    case 'huge':
      return `${'Donaudampfschifffahrt'.repeat(Math.ceil((name === 'content' ? HUGE.content : HUGE.line) / 21))} ${text}`;
    case 'empty':
      return '';
    default:
      return text;
  }
}
