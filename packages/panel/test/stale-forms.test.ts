import { Window } from 'happy-dom';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeDatabases } from '../../../tools/testing/databases.ts';
import { MANAGER, NEWS, type PanelServer, startPanel } from './panel-server.ts';

const AD = NEWS.ads[0]?.id ?? '';

type Values = Readonly<Record<string, string>>;

/** The form of each command that edits: a change of one field by somebody else, and changes of the same and of another. */
const EDITS: readonly (readonly [page: string, command: string, first: Values, same: Values, other: Values])[] = [
  [
    'settings',
    'blogs.publisher',
    { logoUrl: 'https://a.example/l.png' },
    { logoUrl: 'https://b.example/l.png' },
    { contact: 'b@news.example' },
  ],
  ['settings', 'blogs.rename', { name: 'Anns News' }, { name: 'Bobs News' }, {}],
  ['settings', 'blogs.time-zone', { timeZone: 'Asia/Tokyo' }, { timeZone: 'Europe/Berlin' }, {}],
  ['keys', 'blogs.domains', { domains: 'ann.example' }, { domains: 'bob.example\r\nnews.example' }, {}],
  [`ads/${AD}`, 'ads.edit', { title: 'Anns tea' }, { title: 'Bobs tea' }, { linkText: 'Bobs link' }],
  [`ads/${AD}`, 'ads.edit', { format: 'SIDEBAR' }, { format: 'INLINE' }, { endsAt: '2098-02-03' }],
  [`ads/${AD}`, 'ads.edit', { startsAt: '2098-01-01' }, { startsAt: '2098-01-02' }, { campaignId: 'spring' }],
  ['campaigns/spring', 'campaigns.edit', { name: 'Anns' }, { name: 'Bobs' }, { sponsor: 'Bobs leaves' }],
  ['campaigns/spring', 'campaigns.edit', { goalImpressions: '2000' }, { goalImpressions: '3000' }, { perDay: '9' }],
  [
    'campaigns/spring',
    'campaigns.edit',
    { otherPlacements: 'ann-*' },
    { otherPlacements: 'bob-*\r\ntop' },
    { endsAt: '2098-03-03' },
  ],
];

describeDatabases('a form that edits', (database) => {
  let panel: PanelServer;
  let [ann, bob] = ['', ''];
  beforeAll(async () => {
    panel = await startPanel(database.url);
    await panel.store.importBlogs([NEWS], Date.now());
    ann = await panel.session(MANAGER);
    bob = await panel.session({ name: 'Bob', role: 'manage', blogId: 'news' });
  });
  afterAll(() => panel?.close());

  /** The fields of a form of a page as a browser sends them. */
  function fieldsOf(html: string, command: string): Record<string, string> {
    const { document } = new Window({ settings: { disableJavaScriptEvaluation: true } });
    document.write(html);
    const form = document.querySelector(`form[action="/panel/news/${command}"]`);
    const inputs = [...(form?.querySelectorAll('input, textarea, select') ?? [])] as unknown as HTMLInputElement[];
    const sent = inputs.filter((input) => !['radio', 'checkbox'].includes(input.type) || input.checked);
    const values = sent.map(({ name, value }) => [name, value.replace(/^\n/, '').replaceAll(/\r?\n/g, '\r\n')]);
    return Object.fromEntries(values.filter(([name]) => name !== 'image'));
  }
  const open = async (session: string, page: string, command: string) =>
    fieldsOf(await (await panel.ask(session, `/panel/news/${page}`)).text(), command);
  const save = async (session: string, command: string, form: Values) => {
    const response = await panel.ask(session, `/panel/news/${command}`, { form, token: form['token'] ?? '' });
    return { status: response.status, html: await response.text() };
  };
  const escaped = (text: string) => text.replaceAll('\r\n', ', ').replaceAll('"', '&quot;');

  it.each(EDITS)('%s: %s keeps what somebody else has saved', async (page, command, first, same, other) => {
    const [ofAnn, stale, staleToo] = [
      await open(ann, page, command),
      await open(bob, page, command),
      await open(bob, page, command),
    ];
    expect(Object.keys(first).every((name) => name in ofAnn)).toBe(true);
    expect((await save(ann, command, { ...ofAnn, ...first })).status).toBe(303);
    // Another field, from the older page.
    expect((await save(bob, command, { ...stale, ...other })).status).toBe(303);
    expect(await open(bob, page, command)).toMatchObject({ ...first, ...other });
    // The same field, from the older page: both values are named, and the input keeps the second one.
    const conflict = await save(bob, command, { ...staleToo, ...same });
    expect(conflict.status).toBe(409);
    for (const text of [...Object.values(first), ...Object.values(same)]) {
      if (text !== '') expect(conflict.html).toContain(`“${escaped(text)}”`);
    }
    expect(await open(bob, page, command)).toMatchObject({ ...first, ...other });
    const again = fieldsOf(conflict.html, command);
    expect(again).toMatchObject({ ...same, ...other });
    expect((await save(bob, command, again)).status).toBe(303);
    expect(await open(bob, page, command)).toMatchObject({ ...same, ...other });
  });

  it('after its item was deleted, a form says that it is gone', async () => {
    const edit = await open(bob, `ads/${AD}`, 'ads.edit');
    await panel.store.deleteAd('news', AD, Date.now());
    expect((await save(bob, 'ads.edit', { ...edit, title: 'Late' })).status).toBe(404);
  });
});
