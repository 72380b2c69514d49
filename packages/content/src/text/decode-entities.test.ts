import { expect, test } from 'vitest';
import { decodeEntities } from './decode-entities.ts';

test.each([
  ['Tea &amp; cake &lt;3&nbsp;&quot;now&quot;', 'Tea & cake <3 "now"'],
  ['&#8212; and &#x2014;', '— and —'],
  [
    '&copy; stays, because it is not one of the common names',
    '&copy; stays, because it is not one of the common names',
  ],
  // Names of properties that every object has.
  ['&constructor; &toString; &__proto__;', '&constructor; &toString; &__proto__;'],
  // As in HTML, characters that no text can contain become the replacement character.
  ['&#0; &#xD800; &#xdfff;', '\uFFFD \uFFFD \uFFFD'],
])('the entities of %j become %j', (text, decoded) => {
  expect(decodeEntities(text)).toBe(decoded);
});
