import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Words that `docs/writing.md` rules out in comments, strings, JSX, names and Markdown, with what to write instead. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/\bmend(?:s|ed|ing)?\b/i, 'fix'],
  [/\bin a circle\b/i, 'deadlock, cycle'],
  [/\bby itself\b/i, 'automatically, separately'],
  [/\bno more\b(?! than| \w+ than)/i, 'no longer'],
  [/(?<!there )\bis none\b/i, 'is not one, does not exist'],
  [/\bhal(?:f a character|ves of characters)\b/i, 'lone surrogate'],
  [/\bwhoever\b/i, 'anyone who, the person who'],
  [/\blest\b/i, 'so that … not'],
  [/\bt(?:old|ells)\b/i, 'notify, report, show'],
  [/\bfor good\b/i, 'permanently'],
  [/\bunfold(?:s|ed|ing)?\b/i, 'expand'],
  [/\bof (?:a|an|the) \w+ alone\b/i, 'only'],
  [/(?<!there )\bis no (?!longer\b|more\b)\w+/i, 'is not a'],
  [/\bthat of the\b/i, 'the one of, or the noun again'],
  [/\boddit(?:y|ies)\b/i, 'variation'],
  [
    /[,;|] also (?:after|behind|by|during|for|from|if|in|inside|on|those|to|when|while|with|without)\b/i,
    'even, including',
  ],
  [/\b(?:are|be|is) those of\b/i, 'match, belong to, or the noun again'],
  [/\bin the words of\b/i, 'with the text of'],
  [/\bat hand\b/i, 'in memory, available'],
  [/\ball of it or nothing\b/i, 'completely or not at all'],
  [/\bdrawn (?:at|from|into)\b|\b(?:is|are) drawn\b/i, 'selected at random, or rendered'],
];

/**
 * Files that are not ours to word: the texts of the sample magazine are literature, the API document is normative, and a lock file is
 * generated. The others name the words that they rule out.
 */
const EXEMPT =
  /^packages\/demo\/src\/(?:posts\/|sponsors\.yaml$)|^docs\/(?:writing|api)\.md$|^tools\/words(?:\.test)?\.ts$|\/fixtures\/|CHANGELOG\.md$|pnpm-lock\.yaml$/;
/** Every other kind of file is text: configurations, scripts and files without an extension are read too. */
const BINARY = /\.(?:png|webp|ico|woff2)$/;

/** The uses of such words in a text, one line each. */
export function ruledOut(path: string, text: string): string[] {
  return text.split('\n').flatMap((line, index) =>
    WORDS.flatMap(([pattern, instead]) => {
      const [word] = pattern.exec(line) ?? [];
      return word === undefined ? [] : [`${path}:${index + 1}: "${word}": write ${instead}`];
    }),
  );
}

/** The same for all text files of the repository. */
export function ruledOutIn(root: string): string[] {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  const paths = files.split('\n').filter((path) => path !== '' && !EXEMPT.test(path) && !BINARY.test(path));
  return paths.flatMap((path) => ruledOut(path, readFileSync(join(root, path), 'utf8')));
}

if (process.argv[1] === import.meta.filename) {
  const found = ruledOutIn(join(import.meta.dirname, '..'));
  for (const place of found) console.error(place);
  if (found.length > 0) process.exitCode = 1;
}
