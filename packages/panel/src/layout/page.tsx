import type { Child } from 'hono/jsx';
import { blogPath, currentVisit, mayManage, mayManageAll } from '../access/visit.ts';
import { withQuery } from './address.ts';
import { Form, ProblemList } from './form.tsx';
import { Head } from './head.tsx';

const BLOG_PAGES: readonly (readonly [path: string, name: string])[] = [
  ['', 'Overview'],
  ['ads', 'Ads'],
  ['campaigns', 'Campaigns'],
  ['posts', 'Posts'],
  ['embed', 'Embed'],
  ['settings', 'Settings'],
];

/** The pages of the last tab. */
const SETTINGS: readonly (readonly [path: string, name: string])[] = [
  ['settings', 'General'],
  ['keys', 'Keys'],
  ['hooks', 'Webhooks'],
  ['import', 'Import'],
  ['bin', 'Recycle bin'],
];
const isSetting = (here: string | undefined): boolean => SETTINGS.some(([path]) => path === here);

/** The pages without dates. */
const UNDATED: readonly (string | undefined)[] = ['blogs', 'embed', 'import', 'settings'];

/** Notices after a change, by the `done` parameter. A link cannot make a page show any other text. */
const NOTICES: Readonly<Record<string, string>> = {
  saved: 'Saved.',
  unlinked: 'Saved. The ad has no link, so readers cannot click it: add one below.',
  paused: 'Paused. The ad is no longer delivered.',
  resumed: 'Resumed. The ad is delivered again, within its dates.',
  interrupted: 'Paused. Its ads are no longer delivered.',
  continued: 'Resumed. Its ads are delivered again, within its dates.',
  restored: 'Restored.',
  published: 'Published. Readers can see the post now.',
  scheduled: 'Scheduled. The post is published automatically at that time.',
  unpublished: 'Unpublished. The post is a draft again.',
  imported: 'Imported. See the log for what is new.',
  revoked: 'Revoked.',
  domains: 'Domains saved.',
  sending: 'The message is being sent. The response will appear in a moment.',
  deleted: 'Deleted.',
  binned: 'Deleted. It stays here for 30 days.',
};

/** Seconds after which a page is loaded again to show whether a message has arrived. */
const SENDING = 3;

interface PageProps {
  title: string;
  /** The last part of the path: the current entry of the menu. */
  here?: string | undefined;
  lead?: Child;
  /** The labels of the inputs of its forms, by their names. */
  labels?: Readonly<Record<string, string>>;
  /** The text above the problems, if it differs. */
  problemText?: Pick<Parameters<typeof ProblemList>[0], 'intro' | 'outcome'>;
  children?: Child;
}

/** A page, with the problems and the secrets of the form whose response it is. */
export function Page({ title, here, lead, labels, problemText, children }: PageProps) {
  const { blog, sent, url } = currentVisit();
  const done = url.searchParams.get('done') ?? '';
  const notice = Object.hasOwn(NOTICES, done) && NOTICES[done];
  return (
    <html lang="en">
      <Head
        title={blog ? `${title} · ${blog.name}` : title}
        refresh={done === 'sending' ? `${SENDING}; url=${withQuery(url, {})}` : undefined}
      />
      <body>
        <a class="skip" href="#page">
          Skip to content
        </a>
        <Masthead here={here} />
        <main id="page" tabindex={-1}>
          {notice && (
            <p class="notice" role="status">
              {notice}
            </p>
          )}
          {sent?.secrets.map(({ name, value, text }) => (
            <div class="notice" role="status">
              <p>{text}</p>
              <code class="secret" data-copy={name}>
                {value}
              </code>
            </div>
          ))}
          {sent && <ProblemList problems={sent.problems} labels={labels} {...problemText} />}
          {isSetting(here) && <SettingsTabs here={here} />}
          <div class="heading">
            <h1>{title}</h1>
            {lead}
          </div>
          {children}
          {!UNDATED.includes(here) && <p class="hint">Dates and times are in {blog?.timeZone ?? 'UTC'}.</p>}
        </main>
      </body>
    </html>
  );
}

const SettingsTabs = ({ here }: Pick<PageProps, 'here'>) => (
  <nav aria-label="Settings">
    <ul class="tabs">
      {SETTINGS.filter(([path]) => path !== 'import' || mayManage()).map(([path, name]) => (
        <li>
          <a href={blogPath(path)} aria-current={here === path ? 'page' : undefined}>
            {name}
          </a>
        </li>
      ))}
    </ul>
  </nav>
);

interface SectionProps {
  id: string;
  title: string;
  /** Beside the heading. */
  lead?: Child;
  class?: string;
  children?: Child;
}

export function Section({ id, title, lead, class: className, children }: SectionProps) {
  const heading = <h2 id={id}>{title}</h2>;
  return (
    <section class={className} aria-labelledby={id}>
      {lead ? (
        <div class="heading">
          {heading}
          {lead}
        </div>
      ) : (
        heading
      )}
      {children}
    </section>
  );
}

function Masthead({ here }: Pick<PageProps, 'here'>) {
  const { blog, person } = currentVisit();
  const link = (path: string, name: Child, to: string) => (
    <a href={to} aria-current={here === path ? 'page' : path === 'settings' && isSetting(here) ? 'true' : undefined}>
      {name}
    </a>
  );
  return (
    <header class="masthead">
      <div class="ears">
        <a class="brand" href="/panel">
          Broadsheet
        </a>
        <nav class="outer" aria-label="Panel">
          {person.blogId === null && link('blogs', 'Blogs', '/panel/blogs')}
          {mayManageAll() && link('people', 'People', '/panel/people')}
          {link('log', 'Log', '/panel/log')}
        </nav>
        <Form to="/panel/sign-out" class="who">
          <span>
            {person.name}
            {mayManage() ? '' : ' (view only)'}
          </span>
          <button class="link" type="submit">
            Sign out
          </button>
        </Form>
      </div>
      {blog && (
        <>
          <p class="blog-name">
            <a href={blogPath()}>{blog.name}</a>
          </p>
          <nav class="sections" aria-label="Blog">
            <ul>
              {BLOG_PAGES.map(([path, name]) => (
                <li>{link(path, name, blogPath(...(path ? [path] : [])))}</li>
              ))}
            </ul>
          </nav>
        </>
      )}
    </header>
  );
}
