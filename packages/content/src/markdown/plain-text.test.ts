import { expect, test } from 'vitest';
import { firstSentenceOf } from './plain-text.ts';

test.each([
  ['# Title\n\nHello **bold** [link](https://x.example) and `code`. More.', 'Hello bold link and code.'],
  ['![picture](a.png)\n\nText &amp; more.', 'Text & more.'],
  ['```js\nlet a;\n```\n\n<div>html</div>\n\n> A quote. Two.', 'A quote.'],
  ['| a | b |\n|---|---|\n| 1 | 2 |\n\n- first item\n- second', 'first item'],
  ['{{< figure src="x" >}}\n\nAfter a <b>short</b>code.', 'After a shortcode.'],
  ['# Only a heading', ''],
])('the first sentence of %j is %j', (markdown, sentence) => {
  expect(firstSentenceOf(markdown, 'md')).toBe(sentence);
});

test('the first sentence is not taken from imports, exports and components of MDX', () => {
  const mdx = 'import Box from "./box"\n\nexport const a = 1;\n\n<Box>\n  inside\n</Box>\n\n{/* note */}\n\nText here.';
  expect(firstSentenceOf(mdx, 'mdx')).toBe('Text here.');
});

test('the first sentence is found after a long code block', () => {
  expect(firstSentenceOf(`\`\`\`\n${'x\n'.repeat(5000)}\`\`\`\n\nAt last.`, 'md')).toBe('At last.');
});
