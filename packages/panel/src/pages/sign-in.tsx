import { randomText, SESSION_LIFE } from '@broadsheet/store';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { errorPage, SESSION_COOKIE } from '../access/guard.tsx';
import { goTo, send } from '../access/send.tsx';
import { type FormFields, textOf } from '../access/sent.ts';
import { panelPath, type Routes } from '../access/visit.ts';
import { Button } from '../layout/form.tsx';
import { Bare } from '../layout/head.tsx';

const GONE =
  'This sign-in link has been used, or is older than an hour. Ask the person who runs the server for a new one.';

export const signInRoutes: Routes = (app, { store, clock = Date, log, publicUrl }) => {
  // A GET request does not use up the link, because link previews open it, too.
  app.get('/panel/sign-in', async (c) => {
    const token = c.req.query('token') ?? '';
    const person = await store.findInvitation(token, clock.now());
    if (!person) return errorPage(403, GONE);
    const page = send(
      c,
      <Bare title={`Welcome, ${person.name}`} isFirst>
        <p>This browser stays signed in for 30 days, or until you sign out.</p>
        <form method="post" action="/panel/sign-in">
          <input type="hidden" name="invitation" value={token} />
          <Button kind="first" name="Sign in" autofocus />
        </form>
      </Bare>,
    );
    // Keeps the token in the URL out of the Referer. With `no-referrer`, the Origin of the form would be null.
    page.headers.set('referrer-policy', 'strict-origin');
    return page;
  });

  app.post('/panel/sign-in', async (c) => {
    const form: FormFields = await c.req.parseBody({ all: true }).catch(() => ({}));
    const session = randomText();
    const person = await store.signIn(textOf(form, 'invitation'), session, clock.now());
    if (!person) return errorPage(403, GONE);
    log?.info({ person: person.name }, 'signed in to the panel');
    const secure = publicUrl?.startsWith('https:') || c.req.header('origin')?.startsWith('https:') || false;
    setCookie(c, SESSION_COOKIE, session, {
      path: '/panel',
      httpOnly: true,
      secure,
      sameSite: 'Strict',
      maxAge: SESSION_LIFE / 1000,
    });
    return goTo('/panel', Object.fromEntries(c.res.headers));
  });
};

/** The first page of a session, and signing out. */
export const sessionRoutes: Routes = (app, { store }) => {
  app.post('/panel/sign-out', async (c) => {
    await store.endSession(getCookie(c, SESSION_COOKIE) ?? '');
    deleteCookie(c, SESSION_COOKIE, { path: '/panel' });
    return goTo('/panel', Object.fromEntries(c.res.headers));
  });

  app.get('/panel', async (c) => {
    const blogs = await store.listBlogs(c.get('visit').person.blogId ?? undefined);
    const [only] = blogs;
    return goTo(only && blogs.length === 1 ? panelPath(only.id) : '/panel/blogs');
  });
};
