import { commandForms, type Submission } from '../access/command-forms.ts';
import type { Routes } from '../access/routes.ts';
import { send } from '../access/send.tsx';
import { textOf, textsOf } from '../access/sent.ts';
import { EmbedPage, NO_KEY, readFormats } from './embed.tsx';
import { embedCode } from './embed-code.ts';
import { KeysPage } from './keys.tsx';

/** Shows the new key on the page with the tags, which contain it. */
function showKey({ apiKey }: { apiKey: string }, { form, path }: Submission) {
  const query = new URLSearchParams({ pin: textOf(form, 'pin') });
  const slots = textsOf(form, 'slot');
  for (const format of slots.length > 0 ? slots : ['BANNER']) query.append('slot', format);
  const text = 'Your new key. It is not shown again. The tags below already contain it.';
  return { to: `${path('embed')}?${query}`, secret: { name: 'the key', value: apiKey, text } };
}

export const keyRoutes: Routes = (app, options) => {
  const { store } = options;
  app.get('/panel/:blog/embed', async (c) => {
    const { origin, url, blog, sent } = c.get('blogVisit');
    const formats = readFormats(url.searchParams);
    const pinned = url.searchParams.get('pin') === 'yes';
    const apiKey = sent?.secrets[0]?.value ?? NO_KEY;
    const code =
      formats.length > 0
        ? await embedCode({ origin, apiKey, formats, ads: await store.listAllAds(blog.id), pinned })
        : undefined;
    return send(c, <EmbedPage code={code} formats={formats} pinned={pinned} />);
  });
  app.get('/panel/:blog/keys', async (c) => {
    return send(c, <KeysPage keys={await store.listKeys(c.get('blogVisit').blog.id)} />);
  });
  commandForms(app, options, {
    'keys.create': { page: 'keys', shows: showKey },
    'keys.rotate': { page: 'keys', shows: showKey },
    'keys.revoke': { page: 'keys', shows: { done: 'revoked' } },
    'blogs.domains': {
      page: 'keys',
      args({ form }) {
        const [domains = [], before] = ['domains', 'before'].map((field) => hostsIn(textOf(form, field)));
        return { ...(domains.length > 0 ? { domains } : { clear: true }), before };
      },
      shows: { done: 'domains' },
    },
  });
};

const hostsIn = (typed: string): string[] => typed.split(/\s+/).filter((host) => host !== '');
