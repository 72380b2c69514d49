import { expect, it } from 'vitest';
import { csv, csvHeaders } from './csv.ts';

it('csv begins with a byte order mark, and quotes every text', () => {
  const rows = [
    { title: 'Tea, "green"\nand black', clicks: 1200.5 },
    { title: 'Tea - 5 + 1 = 6', clicks: -1 },
  ];
  const file = csv<(typeof rows)[number]>({ title: ({ title }) => title, clicks: ({ clicks }) => clicks }, rows);
  expect(file).toBe('\uFEFF"title","clicks"\r\n"Tea, ""green""\nand black",1200.5\r\n"Tea - 5 + 1 = 6",-1\r\n');
});

it.each([
  ['Tee & Söhne Frühling', 'Tee-S-hne-Fr-hling', 'Tee-S%C3%B6hne-Fr%C3%BChling'],
  ['お茶 "春"\r\n', '-', '%E3%81%8A%E8%8C%B6-%E6%98%A5-'],
])('the file of %j keeps the letters of its name', (name, ascii, whole) => {
  const { 'content-disposition': disposition } = csvHeaders(name);
  expect(disposition).toBe(`attachment; filename="${ascii}.csv"; filename*=UTF-8''${whole}.csv`);
});

/** The cells that a spreadsheet finds: quotation marks count only at the beginning of a field. */
function cellsOf(file: string, separator: string): string[] {
  const rest = `[^${separator}\\r\\n]*`;
  const fields = new RegExp(`(?:"((?:[^"]|"")*)"(${rest})|(${rest}))(?:[${separator}\\r\\n]|$)`, 'g');
  return [...file.slice(1).matchAll(fields)].map(([, quoted = '', more = '', plain = '']) => quoted + more + plain);
}

it.each([',', ';', '\t', '|'])('no text becomes a formula if a file is separated by %j', (separator) => {
  const formulas = ['=1+1', '-1+1', '+1', '@SUM(A1)', '\t=1', ' =1', '"=1"', '\r=1', '＝1', '\n=1'];
  const texts = formulas.flatMap((text) => [
    text,
    ...[';', '\t', '|', '\n', ','].map((before) => `top${before}${text};x`),
  ]);
  const columns = Object.fromEntries(texts.map((text) => [text, () => text]));
  const cells = cellsOf(csv(columns, [{}]), separator);
  expect(cells.length).toBeGreaterThan(texts.length);
  expect(cells.filter((cell) => /^["\s]*[=+\-@＝]/.test(cell))).toEqual([]);
});
