import { expect, test } from 'vitest';
import { imagesInHtml, imagesInMarkdown } from './image-references.ts';

const urlsIn = (text: string, dialect: 'md' | 'mdx' = 'md') =>
  imagesInMarkdown(text, dialect).references.map(({ url }) => url);

test.each([
  ['![](./a.png)', ['./a.png']],
  ['![a](./a.png "title") ![b](<a b.png>) ![c](a%20b.png)', ['./a.png', 'a b.png', 'a%20b.png']],
  ['![](a(1).png) ![](a\\(b.png) ![](a&amp;b.png)', ['a(1).png', 'a(b.png', 'a&b.png']],
  ['[![](thumb.png)](full.png)', ['thumb.png', 'full.png']],
  [
    '# ![](h.png)\n\n- ![](l.png)\n\t1. ![](m.png)\n\n> ![](q.png)\n\n| ![](t.png) |\n|--|\n',
    ['h.png', 'l.png', 'm.png', 'q.png', 't.png'],
  ],
  ['![a][ref] ![b][]\n\n[ref]: <./a b.png> "t"\n[B]: b.png\n', ['./a b.png', 'b.png']],
  ['<img src="a.png" alt="x > y"> <IMG SRC=b.png/> <img\n src=\'c&amp;d.png\'>', ['a.png', 'b.png/', 'c&d.png']],
  ['<picture>\n<source srcset="a.webp 1x, b.webp 2x">\n<img src=a.png>\n</picture>', ['a.webp', 'b.webp', 'a.png']],
  ['> <img\n> src="a.png">\n', ['a.png']],
  ['<a href="full.png">full</a> <video poster="p.jpg"></video>', ['full.png', 'p.jpg']],
  ['![](a.png)\r\n\r\n![](b.png)\r\n', ['a.png', 'b.png']],
])('the images in %j are found', (text, urls) => {
  expect(urlsIn(text)).toEqual(urls);
});

test.each([
  '`![](a.png)`',
  '``` md\n![](a.png)\n<img src="a.png">\n```',
  '~~~\n![](a.png)\n~~~',
  '    ![](a.png)',
  '<!-- <img src="a.png"> ![](b.png) -->',
  '<script>\n"<img src=a.png>"\n</script>',
  '\\![a] (a.png)',
  '![](a b.png)',
  '<image src="a.png">',
])('there is no image in %j', (text) => {
  expect(urlsIn(text)).toEqual([]);
});

test('MDX has no indented code', () => {
  expect(urlsIn('<Box>\n\n    ![](a.png)\n\n</Box>', 'mdx')).toEqual(['a.png']);
});

test('a position is where the URL starts in the text', () => {
  const text = '> é ![](<a b.png> "t")\n> <img alt=x srcset=" c.png 1x,d.png 2x">\n\n[r]: e.png';
  const found = imagesInMarkdown(text, 'md').references.map(({ from, to }) => text.slice(from, to));
  expect(found).toEqual(['<a b.png>', 'c.png', 'd.png', 'e.png']);
});

test('a definition belongs to an image if an image uses it, and to a link otherwise', () => {
  const kinds = (text: string) => imagesInMarkdown(text, 'md').references.map(({ kind }) => kind);
  expect(kinds('![a][Ref  x] [b][y]\n\n[ref x]: a\n[y]: b\n')).toEqual(['image', 'link']);
});

const pieces =
  '{%,{{<,[,![,*a,*_,<a ,<a,<img src=a>,`,> ,- ,1. ,&,\\,|,[a](,![](,[a][,[a]: b (\n,[a](b (,<!--,<!A,<div>,\n<div>\n,]';

test.each(pieces.split(','))(
  'a text of many repeated %j does not slow down the search for images',
  (piece) => {
    const text = piece.repeat(200_000 / piece.length);
    imagesInMarkdown(text, 'md');
    imagesInHtml(text);
  },
  20_000,
);
