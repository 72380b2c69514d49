import type { Context, MiddlewareHandler } from 'hono';
import { getCookie } from 'hono/cookie';
import { numbersFor } from '../figures/numbers.ts';
import type { Problems } from '../layout/form.tsx';
import { Bare } from '../layout/head.tsx';
import type { PanelOptions } from '../panel-options.ts';
import { type PageContent, send } from './send.ts';
import { type BlogVisit, isFormToken, mayManage, type Visit } from './visit.ts';

export const SESSION_COOKIE = 'broadsheet-panel';

/** What the middleware sets for the pages. */
export interface PanelEnv {
  Variables: {
    visit: Visit;
    blogVisit: BlogVisit;
    form: FormFields;
    /** Renders the page of the form again, with its problems. */
    again?: (problems: Problems) => PageContent | Promise<PageContent>;
  };
}

export type PanelContext = Context<PanelEnv>;

/** The fields of a form as they were sent; a file is a `File`. */
export type FormFields = Readonly<Record<string, string | File | readonly (string | File)[]>>;

/** The text of a field; empty if it was not sent or is a file. */
export function textOf(form: FormFields, name: string): string {
  const value = form[name];
  const one = Array.isArray(value) ? value[0] : value;
  return typeof one === 'string' ? one.replaceAll('\r\n', '\n') : '';
}

/** Refuses forms from other sites, by the `Origin` header. */
export function sameOrigin({ publicUrl }: PanelOptions): MiddlewareHandler {
  return async function checkOrigin(c, next) {
    if (isRead(c.req.method) || isOwn(c.req.header('origin'), c.req.header('host'), publicUrl)) return next();
    return refuse(403, 'This form was sent from another site. Open the panel in a new tab and try again.');
  };
}

function isOwn(origin: string | undefined, host: string | undefined, publicUrl: string | undefined): boolean {
  if (origin === undefined || !URL.canParse(origin)) return false;
  const given = new URL(origin);
  // Behind a proxy, the scheme of the request may differ from that in the browser.
  return given.host === host || (publicUrl !== undefined && given.origin === new URL(publicUrl).origin);
}

/** Responds with 404 to URLs with a NUL character: databases cannot store it, so no id contains one. */
export const withoutNul: MiddlewareHandler = async function checkNul(c, next) {
  return /%00/.test(c.req.url) ? refuse(404, 'Page not found: the URL contains a NUL character.') : next();
};

/** Admits signed-in people and sets the visit. The blog of the URL is 404 for people without access to it. */
export function signedIn({ store, clock = Date, publicUrl }: PanelOptions): MiddlewareHandler<PanelEnv> {
  return async function checkSession(c, next) {
    const session = getCookie(c, SESSION_COOKIE);
    const now = clock.now();
    const person = session === undefined ? undefined : await store.findSession(session, now);
    if (session === undefined || !person) return notSignedIn(c);
    const url = new URL(c.req.url);
    const blogs = await store.listBlogs(person.blogId ?? blogOf(url));
    const origin = (publicUrl ?? ownOrigin(c, url)).replace(/\/+$/, '');
    const numbers = numbersFor(c.req.header('accept-language'));
    const visit: Visit = { person, session, numbers, now, url, origin, blogs };
    c.set('visit', visit);
    return next();
  };
}

/** Pages that show every blog; the others need at most the blog of their URL. */
const OF_ALL_BLOGS: ReadonlySet<string> = new Set(['', 'blogs', 'people']);

function blogOf({ pathname }: URL): string | undefined {
  const name = pathname.split('/')[2] ?? '';
  return OF_ALL_BLOGS.has(name) ? undefined : tryDecodeUri(name);
}

function tryDecodeUri(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The origin that the browser used. Behind a proxy that terminates TLS, only Origin or Referer contains the scheme. */
function ownOrigin(c: Context, url: URL): string {
  const origin = c.req.header('origin') ?? c.req.header('referer');
  if (origin !== undefined && URL.canParse(origin) && new URL(origin).host === url.host) return new URL(origin).origin;
  return url.origin;
}

/** Reads the form. Refuses forms without the token of their URL, and every change by people with view-only access. */
export const mayChange: MiddlewareHandler<PanelEnv> = async function checkForm(c, next) {
  if (isRead(c.req.method)) return next();
  const { session, person, url } = c.get('visit');
  if (person.role !== 'manage' && url.pathname !== '/panel/sign-out') {
    return refuse(
      403,
      'You have view-only access to this blog. Ask the person who invited you for permission to manage it.',
    );
  }
  const form = await c.req.parseBody({ all: true }).catch(() => ({}));
  if (!isFormToken((form as FormFields)['token'], session, url.pathname)) {
    return refuse(
      403,
      'This form has expired or belongs to another session. Go back, reload the page and send it again.',
    );
  }
  if (
    Object.values<FormFields[string]>(form)
      .flat()
      .some((value) => typeof value === 'string' && value.includes('\0'))
  ) {
    return refuse(400, 'A field contains a NUL character, which cannot be stored. Remove it and try again.');
  }
  c.set('form', form);
  return next();
};

/** Finds the blog of the URL among those the person has access to. */
export const withBlog: MiddlewareHandler<PanelEnv> = async function findBlog(c, next) {
  const visit = c.get('visit');
  const blog = visit.blogs.find(({ id }) => id === c.req.param('blog'));
  if (!blog) return c.notFound();
  c.set('blogVisit', { ...visit, blog });
  return next();
};

/** Hides a page from people who cannot use it. */
export const managersOnly: MiddlewareHandler<PanelEnv> = async function checkRole(c, next) {
  return mayManage(c.get('blogVisit')) ? next() : c.notFound();
};

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

export function refuse(status: 400 | 401 | 403 | 404 | 409 | 413 | 500 | 503, message: string): Response {
  const title = { 400: 'Invalid request', 401: 'Sign in', 403: 'Not allowed', 404: 'Not found', 413: 'Too large' };
  return send(
    <Bare title={title[status as 400] ?? 'Something went wrong'}>
      <p>{message}</p>
    </Bare>,
    { status },
  );
}

function notSignedIn(c: Context): Response {
  // SameSite=Strict cookies are not sent on cross-site navigation; reload once from our own origin.
  const again = c.req.method === 'GET' && c.req.header('sec-fetch-site') === 'cross-site';
  const { pathname, search } = new URL(c.req.url);
  if (again) {
    return send(
      <Bare title="One moment" refresh={pathname + search}>
        <p>
          <a href={pathname + search}>Continue to the panel</a>
        </p>
      </Bare>,
    );
  }
  return send(
    <Bare title="Sign in">
      <p>You are not signed in, or your session has expired.</p>
      <p>
        Ask the person who runs this server for a sign-in link. It works once, within an hour, and keeps this browser
        signed in for 30 days.
      </p>
      <p class="hint">
        To create a link on the server: <code>broadsheet panel invite NAME</code>
      </p>
    </Bare>,
    { status: 401 },
  );
}
