import { expect, it } from 'vitest';
import { csv } from './csv.ts';

it('csv begins with a byte order mark, quotes values where necessary, and text never becomes a formula', () => {
  expect(
    csv([
      ['title', 'clicks'],
      ['Tea, "green"\nand black', 1200.5],
      ['=HYPERLINK("x")', -1],
      ['-1+1', 0],
    ]),
  ).toBe('\uFEFFtitle,clicks\r\n"Tea, ""green""\nand black",1200.5\r\n"\'=HYPERLINK(""x"")",-1\r\n\'-1+1,0\r\n');
});
