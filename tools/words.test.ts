import { expect, test } from 'vitest';
import { root } from './documents.ts';
import { ruledOut, ruledOutIn } from './words.ts';

test('no text file uses a word that docs/writing.md rules out', () => {
  expect(ruledOutIn(root)).toEqual([]);
});

test.each([
  ['a.ts', '// how to mend it', '"mend": write fix'],
  ['a.ts', "throw new Error('The port is none.');", '"is none": write is not one, does not exist'],
  ['a.tsx', '<p>Paused. It is delivered no more.</p>', '"no more": write no longer'],
  ['a.md', 'Ask whoever runs it.', '"whoever": write anyone who, the person who'],
  ['a.ts', '/** Cut, lest it waits in a circle. */', '"in a circle": write deadlock, cycle'],
  ['a.css', '/* of the width alone */', '"of the width alone": write only'],
  ['a.ts', '// A preview token is no click token.', '"is no click": write is not a'],
  ['a.yml', '# the address is that of the server', '"that of the": write the one of, or the noun again'],
  ['a.md', 'It takes a second, also on a slow machine.', '", also on": write even, including'],
  ['a.ts', '/** Its tags are those of the guide. */', '"are those of": write match, belong to, or the noun again'],
  ['a.ts', '// refused in the words of the server', '"in the words of": write with the text of'],
  ['a.ts', '/** The response if it is at hand. */', '"at hand": write in memory, available'],
  ['a.ts', '// written in one step: all of it or nothing', '"all of it or nothing": write completely or not at all'],
  ['.ci/run', '# the page is drawn twice', '"is drawn": write selected at random, or rendered'],
])('a violation in %s is found: %s', (path, text, message) => {
  expect(ruledOut(path, text)).toContain(`${path}:1: ${message}`);
});

test.each([
  ...['there is none', 'no more than 20 slots', 'no more pages than needed', 'the amended file', 'the latest'],
  ...['if there is no key', 'the ad is no longer delivered', 'whether the agent is one of a crawler'],
  ...['it is also in the log', 'Also, on Windows, close the editor.', 'the post and those of its tags'],
])('"%s" is plain English', (text) => expect(ruledOut('a.md', text)).toEqual([]));
