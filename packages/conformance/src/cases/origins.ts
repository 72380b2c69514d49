import { accepted, anyToken, click, clickOrigin, deliver, sendBatch } from '../deliver.ts';
import { failure, refuses } from '../failure.ts';
import { type RequestOptions, send } from '../send.ts';
import { ok } from '../success.ts';
import { filledFormat } from '../survey.ts';
import { section, type Target, Unchecked } from '../target.ts';

const promised = section({ section: '4.5', effect: 'counts', needs: ['origins'] });
const decided = section({ section: 'decided', effect: 'counts', needs: ['origins'] });
const seeded = section({ section: 'decided', effect: 'counts', needs: ['snapshot', 'origins'] });

/** The blog under test if it has domains, otherwise the other blog of the snapshot; a page on one of its domains. */
async function withDomains(target: Target): Promise<{ readonly blog: Target; readonly page: URL }> {
  const origin = await clickOrigin(target);
  if (origin !== undefined) return { blog: target, page: new URL(origin) };
  const { otherKey } = target;
  if (otherKey === undefined) throw new Unchecked('the blog has no domains, so it accepts clicks from everywhere');
  const other = 'https://blog.example';
  return { blog: { ...target, apiKey: otherKey, origin: other }, page: new URL(other) };
}

/** Clicks on an ad of the blog with domains, from a page that sends these headers. */
async function clickFrom(target: Target, headers: NonNullable<RequestOptions['headers']>) {
  const key = target.otherKey ?? '';
  const { clickToken } = await deliver(target, 'BANNER', { key });
  return click(target, clickToken, { key, headers });
}

/** Section 4.5, rule 2: a click must come from a domain of the blog, if it has any. */
export const originCases = [
  promised(
    'a click is accepted from a domain of the blog, by Origin or Referer, and from nowhere else',
    async (target) => {
      const { blog, page } = await withDomains(target);
      const { origin, host, hostname } = page;
      const clickToken = await anyToken(blog);
      const lookalike = `https://stranger${hostname.split('.').slice(-2).join('.')}`;
      const strangers = [`https://${host}.stranger.invalid`, `https://${host}@stranger.invalid`, lookalike];
      for (const Origin of ['https://stranger.invalid', ...strangers]) {
        failure(await click(blog, clickToken, { headers: { Origin } }), 'ORIGIN_NOT_ALLOWED');
      }
      const Referer = `https://stranger.invalid/${origin}/`;
      failure(await click(blog, clickToken, { headers: { Referer } }), 'ORIGIN_NOT_ALLOWED');
      accepted(await click(blog, clickToken, { headers: { Referer: `${origin}/a/page?with=query` } }));
    },
  ),
  promised('deliveries and tracking/impression are accepted from everywhere', async (target) => {
    const { blog } = await withDomains(target);
    const headers = { Origin: 'https://stranger.invalid', Referer: 'https://stranger.invalid/' };
    await deliver(blog, await filledFormat(blog), { headers });
    ok(await sendBatch(blog, { slots: [{ slotId: 's', format: 'BANNER' }] }, { headers }));
    accepted(await send(blog, '/public/ads/tracking/impression', { json: {}, headers }));
  }),
  decided('a click without an origin, or with the origin null, is 403, and its token stays valid', async (target) => {
    const { blog, page } = await withDomains(target);
    const clickToken = await anyToken(blog);
    const none = [{}, { Origin: 'null' }, { Origin: 'nonsense' }, { Referer: 'nonsense' }, { Referer: page.host }];
    for (const headers of none) failure(await click(blog, clickToken, { headers }), 'ORIGIN_NOT_ALLOWED');
    accepted(await click(blog, clickToken, { headers: { Origin: page.origin } }));
  }),
  decided('the body of a click is checked before its origin, and the origin before the token', async (target) => {
    const { blog, page } = await withDomains(target);
    const headers = { Origin: 'https://stranger.invalid' };
    refuses(await click(blog, '', { headers }), 'clickToken');
    failure(await click(blog, 'nonsense', { headers }), 'ORIGIN_NOT_ALLOWED');
    const clickToken = await anyToken(blog);
    accepted(await click(blog, clickToken, { headers: { Origin: page.origin } }));
    failure(await click(blog, clickToken, { headers }), 'ORIGIN_NOT_ALLOWED');
  }),
  decided('Origin takes precedence over Referer', async (target) => {
    const { blog, page } = await withDomains(target);
    const [good, bad] = [page.origin, 'https://stranger.invalid'];
    const clickToken = await anyToken(blog);
    for (const Origin of [bad, 'null']) {
      failure(await click(blog, clickToken, { headers: { Origin, Referer: `${good}/` } }), 'ORIGIN_NOT_ALLOWED');
    }
    accepted(await click(blog, clickToken, { headers: { Origin: good, Referer: `${bad}/` } }));
  }),
  decided('the scheme is ignored, and so is the case of the host', async (target) => {
    const { blog, page } = await withDomains(target);
    for (const Origin of [`http://${page.host}`, page.origin.toUpperCase()]) {
      accepted(await click(blog, await anyToken(blog), { headers: { Origin } }));
    }
  }),
  promised('a blog without domains accepts clicks from everywhere', async (target) => {
    if ((await clickOrigin(target)) !== undefined) throw new Unchecked('the blog has domains');
    for (const headers of [{}, { Origin: 'https://stranger.invalid' }, { Origin: 'null' }, { Referer: 'nonsense' }]) {
      accepted(await click(target, await anyToken(target), { headers }));
    }
  }),
  seeded('a domain matches its host, *.host its subdomains, and host:port only that port', async (target) => {
    accepted(await clickFrom(target, { Origin: 'https://www.wild.example' }));
    accepted(await clickFrom(target, { Origin: 'https://ported.example:8443' }));
    accepted(await clickFrom(target, { Referer: 'http://ported.example:8443/page' }));
    const hosts = [
      'sub.blog.example',
      'example',
      'evilwild.example',
      'wild.example.evil.example',
      'www.wild.example.org',
    ];
    for (const host of [...hosts, 'ported.example', 'ported.example:8444', 'ported.example:443']) {
      failure(await clickFrom(target, { Origin: `https://${host}` }), 'ORIGIN_NOT_ALLOWED');
    }
  }),
];
