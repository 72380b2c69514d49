/** A test that failed with a new seed. */
export interface Finding {
  readonly seed: number;
  readonly file: string;
  /** Empty if the file failed as a whole. */
  readonly title: string;
  readonly message: string;
}

interface Outcome {
  /** What the JSON reporter of Vitest wrote; `undefined` if it wrote nothing. */
  readonly results: string | undefined;
  readonly code: number | null;
  readonly pathOf: (file: string) => string;
}

/** Vitest's JSON report, the part that is read here. */
interface Results {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** The failures of a run; a run that failed without a failed test is one, too. */
export function findingsOf(seed: number, { results, code, pathOf }: Outcome): Finding[] {
  const { testResults } = JSON.parse(results ?? '{"testResults":[]}') as Results;
  const findings = testResults.flatMap(({ name, status, message, assertionResults }): Finding[] => {
    const failed = assertionResults.filter((test) => test.status === 'failed');
    if (failed.length === 0) return status === 'failed' ? [{ seed, file: pathOf(name), title: '', message }] : [];
    return failed.map((test) => ({
      ...{ seed, file: pathOf(name), title: test.fullName },
      message: test.failureMessages.join('\n'),
    }));
  });
  if (findings.length > 0 || code === 0) return findings;
  return [{ seed, file: '', title: '', message: `Vitest ended with ${code} without naming a test that failed` }];
}

/** Longer messages hold whole histories, which the command shows again. */
const LINES = 12;
/** Vitest reads the name of a test as a regular expression, and the shell reads quotes. */
const pattern = (title: string): string => `'${title.replace(/[^\w\s,;:-]/gu, '.')}'`;

function commandOf({ seed, file, title }: Finding): string {
  const project = file.endsWith('.long.test.ts') ? 'long' : 'node';
  const name = title === '' ? '' : ` -t ${pattern(title)}`;
  return `TEST_SEED=${seed} pnpm vitest run --project ${project} ${file}${name}`;
}

/** The last lines of a run: the seeds, what they found, and the command that repeats each failure. */
export function reportOf(seeds: readonly number[], findings: readonly Finding[]): string {
  const drawn = `${seeds.length} new seed${seeds.length === 1 ? '' : 's'}`;
  if (findings.length === 0) return `\n${drawn} found nothing: ${seeds.join(', ')}`;
  const shown = findings.map((finding) => {
    const lines = finding.message.split('\n').slice(0, LINES);
    const name = [finding.file, finding.title].filter((part) => part !== '').join(' > ');
    return `${name}\n${lines.map((line) => `    ${line}`).join('\n')}\n  To repeat it: ${commandOf(finding)}\n`;
  });
  const count = `${findings.length} failure${findings.length === 1 ? '' : 's'}`;
  return `
*** ${drawn} found ${count} ***
A change is not to blame for a fault that a new seed finds. Add the seed to seedsOf() in its file, with the fix.

${shown.join('\n')}`;
}
