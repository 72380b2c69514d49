import { expect, test } from 'vitest';
import { BUN, run } from './run.ts';

test.each([['Node', process.execPath], ...(BUN ? [['Bun', BUN]] : [])] as [string, string][])(
  'a mock that listens in %s breaks responses as configured',
  async (_, executable) => {
    const output = await run(executable, '--conditions=@broadsheet/source', 'test/runners/bun-listens.fixture.ts');
    const seen = JSON.parse(output) as Record<string, string>;
    const whole = Number(seen['wrong-type']?.split(' ')[1]);
    expect(whole).toBeGreaterThan(500);
    expect(seen).toEqual({
      reset: 'no response',
      cut: 'broken',
      truncate: `application/json ${Math.ceil(whole / 2)}`,
      stall: 'broken',
      drip: `application/json ${whole}`,
      html: 'text/html 86',
      'wrong-type': `text/plain ${whole}`,
      empty: 'application/json 0',
    });
  },
);
