import { expect, test } from 'vitest';
import { changedDomains } from './domains.ts';

test.each([
  ['http://leaf.example/', 'leaf.example'],
  ['https://Leaf.example:8443/news?a#b', 'leaf.example:8443'],
  ['leaf.example', 'leaf.example'],
  ['*.leaf.example', '*.leaf.example'],
])('the host in %j is a domain', (typed, host) => {
  expect(changedDomains('news', [], { domains: [typed] })).toEqual([host]);
  expect(changedDomains('news', [], { add: [typed] })).toEqual([host]);
});

test.each(['leaf.example/news', 'https://', 'ftp://leaf.example'])('%j is not a domain', (typed) => {
  expect(() => changedDomains('news', [], { domains: [typed] })).toThrow('is not a domain');
});
