import { AD_FORMATS } from '@broadsheet/contract';
import { accepted, anyToken, click, deliver, deliverBatch } from '../deliver.ts';
import { equal, holds, matches } from '../expect.ts';
import { failure } from '../failure.ts';
import { filledFormat } from '../survey.ts';
import { section } from '../target.ts';

const promised = section({ section: '4.5', effect: 'counts' });
const decided = section({ section: 'decided', effect: 'counts' });
const seeded = section({ section: 'decided', effect: 'counts', needs: ['snapshot'] });
const timed = section({ section: '4.5', effect: 'counts', needs: ['snapshot', 'clock'] });

const encode = (value: unknown): string =>
  btoa(JSON.stringify(value)).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
const decode = (part = ''): Record<string, unknown> =>
  JSON.parse(atob(part.replaceAll('-', '+').replaceAll('_', '/'))) as Record<string, unknown>;
const split = (token: string): [string, string, string] => {
  const [head = '', claims = '', signature = ''] = token.split('.');
  return [head, claims, signature];
};
/** Changes one character in the middle: the last one of a base64url string may hold unused bits. */
const spoil = (text: string): string => {
  const middle = Math.floor(text.length / 2);
  return text.slice(0, middle) + (text[middle] === 'A' ? 'B' : 'A') + text.slice(middle + 1);
};

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** A token with another last character. If that has unused bits, a lenient decoder reads the same token. */
export const respelled = (token: string): string =>
  token.slice(0, -1) + DIGITS.charAt(DIGITS.indexOf(token.slice(-1)) ^ 1);

/** The ways to tamper with a token of any kind; `other` is another token of the same kind. */
export function forgeries(token: string, other: string): string[] {
  const [head, body, signature] = split(token);
  const none = encode({ alg: 'none', typ: 'JWT' });
  return [
    `${head}.${body}.${spoil(signature)}`,
    `${head}.${body}.`,
    `${head}.${body}`,
    `${head}.${spoil(body)}.${signature}`,
    `${head}.${split(other)[1]}.${signature}`,
    `${head}.${body}.${signature.slice(0, -4)}AAAA`,
    `${head}.${body}.${signature}.${signature}`,
    `${none}.${body}.`,
    `${none}.${body}.${signature}`,
    `${token}x`,
  ];
}

/** Section 4.5: the click token itself. */
export const clickTokenCases = [
  decided('a token is an HS256 JWT that expires after ten minutes', async (target) => {
    const { id, clickToken } = await deliver(target, await filledFormat(target));
    const [head, body] = split(clickToken);
    equal(decode(head)['alg'], 'HS256', 'alg');
    const { purpose, sub, blog, jti, iat, exp, traffic = '', campaign = '', day = '', ...others } = decode(body);
    equal([purpose, sub], ['ad-click', id], 'purpose and sub');
    matches(blog, /\S/, 'blog');
    matches(jti, /\S/, 'jti');
    holds(Number.isInteger(iat), 'iat is a whole number of seconds');
    equal(Number(exp) - Number(iat), 600, 'seconds from iat to exp');
    holds(
      [traffic, campaign, day].every((claim) => typeof claim === 'string'),
      'optional claims are strings',
    );
    equal(others, {}, 'other claims');
  }),
  decided('every delivery has its own token', async (target) => {
    const tokens = await Promise.all(Array.from({ length: 10 }, () => anyToken(target)));
    equal(new Set(tokens.map((clickToken) => decode(split(clickToken)[1])['jti'])).size, 10, 'different jti');
    const ads = (await deliverBatch(target, AD_FORMATS)).filter(({ filled }) => filled);
    const claims = ads.map(({ clickToken }) => decode(split(clickToken)[1]));
    equal(new Set(claims.map(({ jti }) => jti)).size, ads.length, 'different jti in a batch');
    equal(
      claims.map(({ sub }) => sub),
      ads.map(({ id }) => id),
      'sub of each slot',
    );
  }),
  section({ section: '4.5' })('a string that is not a token is 400', async (target) => {
    for (const text of ['x', 'a.b.c', '..', 'e30.e30.', 'null', '😀', 'x'.repeat(5000), 'e30.e30.e30', ' ']) {
      failure(await click(target, text), 'CLICK_TOKEN_INVALID');
    }
  }),
  promised('a token that was tampered with is 400, and the original stays valid', async (target) => {
    const clickToken = await anyToken(target);
    const [head, body, signature] = split(clickToken);
    const { exp, ...claims } = decode(body);
    const changed = [
      { ...claims, exp, jti: 'another' },
      { ...claims, exp: Number(exp) + 6000 },
    ].map((one) => `${head}.${encode(one)}.${signature}`);
    for (const token of [...changed, ...forgeries(clickToken, await anyToken(target))]) {
      failure(await click(target, token), 'CLICK_TOKEN_INVALID');
    }
    accepted(await click(target, clickToken));
  }),
  decided('the algorithm is pinned: "none" and all others are 400', async (target) => {
    const [, body, signature] = split(await anyToken(target));
    for (const alg of ['none', 'None', 'NONE', 'HS384', 'HS512', 'RS256', '']) {
      const head = encode({ alg, typ: 'JWT' });
      failure(await click(target, `${head}.${body}.`), 'CLICK_TOKEN_INVALID');
      failure(await click(target, `${head}.${body}.${signature}`), 'CLICK_TOKEN_INVALID');
    }
  }),
  seeded("a token of another blog is CLICK_TOKEN_INVALID, and the blog's own is accepted", async (target) => {
    const headers = { Origin: 'https://blog.example' };
    const { clickToken } = await deliver(target, 'BANNER');
    const { clickToken: theirs } = await deliver(target, 'BANNER', { key: target.otherKey ?? '' });
    failure(await click(target, theirs, { headers }), 'CLICK_TOKEN_INVALID');
    accepted(await click(target, clickToken, { headers }));
  }),
  timed('a token older than ten minutes is 400 CLICK_TOKEN_EXPIRED, without leeway', async (target) => {
    const [young, old] = [await deliver(target, 'POPUP'), await deliver(target, 'POPUP')];
    await target.clock?.advance(598_000);
    accepted(await click(target, young.clickToken));
    await target.clock?.advance(3_000);
    failure(await click(target, old.clickToken), 'CLICK_TOKEN_EXPIRED');
    failure(await click(target, young.clickToken), 'CLICK_TOKEN_EXPIRED');
  }),
  timed('a forged token is invalid, even after its expiry', async (target) => {
    const [head, body, signature] = split((await deliver(target, 'POPUP')).clickToken);
    await target.clock?.advance(3_600_000);
    failure(await click(target, `${head}.${body}.${spoil(signature)}`), 'CLICK_TOKEN_INVALID');
  }),
];
