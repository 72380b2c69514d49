import { expect, it } from 'vitest';
import { articleText } from './article-text.ts';

/** The text with `AD` in place of the ad. */
const withAd = (content: string): string =>
  String(articleText(content).body)
    .replace(/<div class="place.*?<\/div>/, 'AD')
    .trim();

it('renders Markdown, HTML, and HTML within Markdown', () => {
  expect(withAd('# One\n\n*Two*')).toBe('<h1>One</h1>\n<p><em>Two</em></p>\nAD');
  expect(withAd('<figure><img src="/a.png" alt="A"></figure>')).toBe('<figure><img src="/a.png" alt="A"></figure>AD');
});

it('removes scripts, handlers, styles and forms', () => {
  const hostile =
    '<script>x</script><p onclick="x" style="x">A</p><form action="/x">C</form><a href="javascript:x">B</a>';
  expect(withAd(`${hostile}\n\n<iframe src="//evil.example"></iframe>`)).toBe('<p>A</p>C<a>B</a>AD');
});

it('puts the ad after the third top-level paragraph', () => {
  const quote = '<blockquote><p>a &gt; b</p></blockquote>';
  expect(withAd(`<p>1</p>${quote}<p>2<br><img src="/a.png?b>c"></p><p>3</p><p>4</p>`)).toMatch(/<p>3<\/p>AD<p>4<\/p>$/);
});

it('puts the ad at the end of a text with fewer paragraphs', () => {
  expect(withAd('One\n\nTwo')).toBe('<p>One</p>\n<p>Two</p>\nAD');
});

it('estimates the reading time, at least one minute', () => {
  expect(articleText('').readingTime).toBe('1 min read');
  expect(articleText('word '.repeat(660)).readingTime).toBe('3 min read');
});
