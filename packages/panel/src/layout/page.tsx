import type { Child } from 'hono/jsx';
import { mayManage, mayManageAll, panelPath, type Visit } from '../access/visit.ts';
import { Form } from './form.tsx';
import { Head } from './head.tsx';

const BLOG_PAGES: readonly (readonly [path: string, name: string])[] = [
  ['', 'Overview'],
  ['ads', 'Ads'],
  ['campaigns', 'Campaigns'],
  ['posts', 'Posts'],
  ['embed', 'Embed'],
  ['keys', 'Keys'],
  ['hooks', 'Webhooks'],
  ['import', 'Import'],
  ['bin', 'Recycle bin'],
  ['settings', 'Settings'],
];

/** Notices after a change, by the `done` parameter. A link cannot make a page show any other text. */
const NOTICES: Readonly<Record<string, string>> = {
  saved: 'Saved.',
  unlinked: 'Saved. The ad has no link, so readers cannot click it: add one below.',
  paused: 'Paused. The ad is no longer delivered.',
  resumed: 'Resumed. The ad is delivered again, within its dates.',
  restored: 'Restored.',
  published: 'Published. Readers can see the post now.',
  scheduled: 'Scheduled. The post is published automatically at that time.',
  unpublished: 'Unpublished. The post is a draft again.',
  imported: 'Imported. See the log for what is new.',
  revoked: 'Revoked.',
  domains: 'Domains saved.',
  sending: 'The message is being sent. Reload this page to see the response.',
  deleted: 'Deleted.',
};

interface PageProps {
  visit: Visit;
  title: string;
  /** The last part of the path: the current entry of the menu. */
  here?: string;
  lead?: Child;
  children?: Child;
}

export function Page({ visit, title, here, lead, children }: PageProps) {
  const { blog } = visit;
  const notice = NOTICES[visit.url.searchParams.get('done') ?? ''];
  return (
    <html lang="en">
      <Head title={blog ? `${title} · ${blog.name}` : title} />
      <body>
        <a class="skip" href="#page">
          Skip to content
        </a>
        <Masthead visit={visit} here={here} />
        <main id="page" tabindex={-1}>
          {notice && (
            <p class="notice" role="status">
              {notice}
            </p>
          )}
          <div class="heading">
            <h1>{title}</h1>
            {lead}
          </div>
          {children}
        </main>
      </body>
    </html>
  );
}

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

interface SecretProps {
  /** For the copy button. */
  name: string;
  value: string;
  /** What the secret is for. */
  children?: Child;
}

/** A secret that is shown once. */
export function Secret({ name, value, children }: SecretProps) {
  return (
    <div class="notice" role="status">
      <p>{children}</p>
      <code class="secret" data-copy={name}>
        {value}
      </code>
    </div>
  );
}

function Masthead({ visit, here }: Pick<PageProps, 'visit'> & { here: string | undefined }) {
  const { blog, person } = visit;
  const link = (path: string, name: Child, to: string) => (
    <a href={to} aria-current={here === path ? 'page' : undefined}>
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
          {mayManageAll(visit) && link('people', 'People', '/panel/people')}
          {link('log', 'Log', '/panel/log')}
        </nav>
        <Form visit={visit} to="/panel/sign-out" class="who">
          <span>
            {person.name}
            {mayManage(visit) ? '' : ' (view only)'}
          </span>
          <button class="link" type="submit">
            Sign out
          </button>
        </Form>
      </div>
      {blog && (
        <>
          <p class="blog-name">
            <a href={panelPath(blog.id)}>{blog.name}</a>
          </p>
          <nav class="sections" aria-label="Blog">
            <ul>
              {BLOG_PAGES.filter(([path]) => path !== 'import' || mayManage(visit)).map(([path, name]) => (
                <li>{link(path, name, panelPath(blog.id, ...(path ? [path] : [])))}</li>
              ))}
            </ul>
          </nav>
        </>
      )}
    </header>
  );
}
