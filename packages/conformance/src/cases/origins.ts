import { accepted, click, deliver } from '../deliver.ts';
import { failure, refuses } from '../failure.ts';
import type { RequestOptions } from '../send.ts';
import { section, type Target } from '../target.ts';

const promised = section({ section: '4.5', effect: 'counts', needs: ['snapshot', 'origins'] });
const decided = section({ section: 'decided', effect: 'counts', needs: ['snapshot', 'origins'] });

/** Clicks on an ad of the blog with domains, from a page that sends these headers. */
async function clickFrom(target: Target, headers: NonNullable<RequestOptions['headers']>) {
  const key = target.otherKey ?? '';
  const { clickToken } = await deliver(target, 'BANNER', { key });
  return click(target, clickToken, { key, headers });
}

/** Section 4.5, rule 2: the click comes from a domain of the blog, when it has any. */
export const originCases = [
  promised('a click from a domain of the blog is accepted', async (target) => {
    accepted(await clickFrom(target, { Origin: 'https://blog.example' }));
    accepted(await clickFrom(target, { Referer: 'https://blog.example/a/page?with=query' }));
  }),
  promised('a click from anywhere else is 403', async (target) => {
    const strangers = ['https://evil.example', 'https://blog.example.evil.example', 'https://evilblog.example'];
    for (const Origin of [
      ...strangers,
      'https://sub.blog.example',
      'https://example',
      'https://blog.example@evil.example',
    ]) {
      failure(await clickFrom(target, { Origin }), 'ORIGIN_NOT_ALLOWED');
    }
    failure(await clickFrom(target, { Referer: 'https://evil.example/https://blog.example/' }), 'ORIGIN_NOT_ALLOWED');
  }),
  promised('a blog without domains accepts clicks from everywhere', async (target) => {
    for (const headers of [{}, { Origin: 'https://evil.example' }, { Origin: 'null' }, { Referer: 'nonsense' }]) {
      accepted(await click(target, (await deliver(target, 'POPUP')).clickToken, { headers }));
    }
  }),
  decided('a click without an origin is 403, and so is the origin null', async (target) => {
    failure(await clickFrom(target, {}), 'ORIGIN_NOT_ALLOWED');
    failure(await clickFrom(target, { Origin: 'null' }), 'ORIGIN_NOT_ALLOWED');
    failure(await clickFrom(target, { Origin: 'nonsense' }), 'ORIGIN_NOT_ALLOWED');
    failure(await clickFrom(target, { Referer: 'nonsense' }), 'ORIGIN_NOT_ALLOWED');
    failure(await clickFrom(target, { Referer: 'blog.example' }), 'ORIGIN_NOT_ALLOWED');
  }),
  decided('Origin goes before Referer', async (target) => {
    const [good, bad] = ['https://blog.example', 'https://evil.example'];
    accepted(await clickFrom(target, { Origin: good, Referer: `${bad}/` }));
    failure(await clickFrom(target, { Origin: bad, Referer: `${good}/` }), 'ORIGIN_NOT_ALLOWED');
    failure(await clickFrom(target, { Origin: 'null', Referer: `${good}/` }), 'ORIGIN_NOT_ALLOWED');
  }),
  decided('the scheme is ignored, and so is the case of the host', async (target) => {
    for (const Origin of ['http://blog.example', 'HTTPS://BLOG.EXAMPLE']) accepted(await clickFrom(target, { Origin }));
  }),
  decided('*.host stands for what is below the host', async (target) => {
    accepted(await clickFrom(target, { Origin: 'https://www.wild.example' }));
    for (const Origin of [
      'https://evilwild.example',
      'https://wild.example.evil.example',
      'https://www.wild.example.org',
    ]) {
      failure(await clickFrom(target, { Origin }), 'ORIGIN_NOT_ALLOWED');
    }
  }),
  decided('a domain with a port wants that port', async (target) => {
    accepted(await clickFrom(target, { Origin: 'https://ported.example:8443' }));
    accepted(await clickFrom(target, { Referer: 'http://ported.example:8443/page' }));
    for (const Origin of ['https://ported.example', 'https://ported.example:8444', 'https://ported.example:443']) {
      failure(await clickFrom(target, { Origin }), 'ORIGIN_NOT_ALLOWED');
    }
  }),
  decided('the body goes before the origin, the origin before the token', async (target) => {
    const key = target.otherKey ?? '';
    const headers = { Origin: 'https://evil.example' };
    refuses(await click(target, '', { key, headers }), 'clickToken');
    failure(await click(target, 'nonsense', { key, headers }), 'ORIGIN_NOT_ALLOWED');
    const { clickToken } = await deliver(target, 'BANNER', { key });
    accepted(await click(target, clickToken, { key, headers: { Origin: 'https://blog.example' } }));
    failure(await click(target, clickToken, { key, headers }), 'ORIGIN_NOT_ALLOWED');
  }),
  decided('a click refused for its origin leaves the token good', async (target) => {
    const key = target.otherKey ?? '';
    const { clickToken } = await deliver(target, 'BANNER', { key });
    failure(
      await click(target, clickToken, { key, headers: { Origin: 'https://evil.example' } }),
      'ORIGIN_NOT_ALLOWED',
    );
    accepted(await click(target, clickToken, { key, headers: { Origin: 'https://blog.example' } }));
  }),
];
