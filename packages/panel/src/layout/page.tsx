/** @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx';
import { mayManage, mayManageAll, panelPath, type Visit } from '../door/visit.ts';
import { Form } from './form.tsx';
import { Head } from './head.tsx';

const PAGES = [
  ['', 'Overview'],
  ['ads', 'Ads'],
  ['posts', 'Posts'],
  ['embed', 'Embed'],
  ['keys', 'Keys'],
  ['import', 'Import'],
  ['bin', 'Recycle bin'],
  ['settings', 'Settings'],
] as const;

/** What a page says after a change, by the word in its address: the only words it can be made to say. */
const NOTICES: Readonly<Record<string, string>> = {
  saved: 'Saved.',
  paused: 'Paused. It is delivered no more.',
  resumed: 'Resumed. It is delivered again, within its dates.',
  restored: 'Restored.',
  published: 'Published. Readers can see it now.',
  scheduled: 'Scheduled. It is published by itself when its time comes.',
  unpublished: 'Taken back. It is a draft now.',
  imported: 'Imported. What came is in the lists; the log says how much of it is new.',
  revoked: 'Revoked.',
  domains: 'Saved. These pages may report clicks.',
};

/** A page of somebody who is signed in. `here` is the last part of its address: which entry of the menu it is. */
export function Page({
  visit,
  title,
  here,
  lead,
  children,
}: {
  visit: Visit;
  title: string;
  here?: string;
  lead?: Child;
  children?: Child;
}) {
  const { blog, person } = visit;
  const notice = NOTICES[visit.url.searchParams.get('done') ?? ''];
  return (
    <html lang="en">
      <Head title={blog ? `${title} · ${blog.name}` : title} />
      <body>
        <a class="skip" href="#page">
          Skip to the page
        </a>
        <header class="masthead">
          <div class="ears">
            <a class="brand" href="/panel">
              Broadsheet
            </a>
            <nav class="outer" aria-label="Panel">
              {person.blogId === null && (
                <a href="/panel/blogs" aria-current={here === 'blogs' ? 'page' : undefined}>
                  Blogs
                </a>
              )}
              {mayManageAll(visit) && (
                <a href="/panel/people" aria-current={here === 'people' ? 'page' : undefined}>
                  People
                </a>
              )}
              <a href="/panel/log" aria-current={here === 'log' ? 'page' : undefined}>
                Log
              </a>
            </nav>
            <Form visit={visit} to="/panel/sign-out" class="who">
              <span>
                {person.name}
                {mayManage(visit) ? '' : ' (may look)'}
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
                  {PAGES.filter(([path]) => path !== 'import' || mayManage(visit)).map(([path, name]) => (
                    <li>
                      <a
                        href={path === '' ? panelPath(blog.id) : panelPath(blog.id, path)}
                        aria-current={here === path ? 'page' : undefined}
                      >
                        {name}
                      </a>
                    </li>
                  ))}
                </ul>
              </nav>
            </>
          )}
        </header>
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
