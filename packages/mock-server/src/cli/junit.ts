import type { ParityReport } from './parity.ts';

/** A comparison as a JUnit report, which CI services show as tests. */
export function junit({ url, promises, differences }: ParityReport): string {
  const skipped = promises.filter(({ live }) => live === 'unchecked' || live === 'known').length;
  const cases = promises.map(({ section, name, mock, live, error, reason, ms }) => {
    const head = `    <testcase classname="${xml(section)}" name="${xml(name)}" time="${(ms / 1000).toFixed(3)}"`;
    if (mock === 'fails' || live === 'fails') {
      return `${head}>\n      <failure message="${xml(error ?? '')}">mock: ${mock}, live: ${live}</failure>\n    </testcase>`;
    }
    if (live === 'ok') return `${head}/>`;
    return `${head}>\n      <skipped message="${xml(reason ?? '')}"/>\n    </testcase>`;
  });
  const counts = `tests="${promises.length}" failures="${differences}" errors="0" skipped="${skipped}"`;
  const seconds = promises.reduce((sum, { ms }) => sum + ms, 0) / 1000;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite name="${xml(`parity of ${url}`)}" ${counts} time="${seconds.toFixed(3)}">`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
};

/** Text in an attribute. Control characters cannot stand in XML, not even escaped. */
const xml = (text: string): string =>
  text
    .replaceAll(/[&<>"\n]/g, (sign) => ESCAPES[sign] ?? sign)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that XML does not take
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd');
