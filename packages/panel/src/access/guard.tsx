import { withoutTrailingSlashes } from '@broadsheet/contract';
import { createBodyBudget } from '@broadsheet/management';
import type { Context, MiddlewareHandler } from 'hono';
import { getCookie } from 'hono/cookie';
import { numbersFor } from '../figures/numbers.ts';
import { Bare } from '../layout/head.tsx';
import type { PanelOptions } from '../panel-options.ts';
import { send } from './send.tsx';
import type { FormFields } from './sent.ts';
import { isFormToken, mayManage, type PanelContext, type PanelEnv, partOf } from './visit.ts';

export const SESSION_COOKIE = 'broadsheet-panel';

/** Refuses forms from other sites, by the `Origin` header. */
export function sameOrigin({ publicUrl }: PanelOptions): MiddlewareHandler {
  return async function checkOrigin(c, next) {
    if (isRead(c.req.method) || isOwn(c.req.header('origin'), c.req.header('host'), publicUrl)) return next();
    return errorPage(
      403,
      'This form was sent from another site. Open the panel in a new tab and try again. Behind a proxy, the operator sets PUBLIC_URL to the address of the panel, or lets the proxy pass the header Host on.',
    );
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
  return /%00/.test(c.req.url) ? errorPage(404, 'Page not found: the URL contains a NUL character.') : next();
};

/** Admits signed-in people and sets the visit. */
export function signedIn({ store, clock = Date, publicUrl }: PanelOptions): MiddlewareHandler<PanelEnv> {
  return async function checkSession(c, next) {
    const session = getCookie(c, SESSION_COOKIE);
    const now = clock.now();
    const person = session === undefined ? undefined : await store.findSession(session, now);
    if (session === undefined || !person) return notSignedIn(c);
    const url = new URL(c.req.url);
    const origin = withoutTrailingSlashes(publicUrl ?? ownOrigin(c, url));
    c.set('visit', { person, session, now, url, origin, sent: c.env.sent });
    c.set('numbers', numbersFor(c.req.header('accept-language')));
    return next();
  };
}

/** The origin that the browser used. Behind a proxy that terminates TLS, only Origin or Referer contains the scheme. */
function ownOrigin(c: Context, url: URL): string {
  const origin = c.req.header('origin') ?? c.req.header('referer');
  if (origin !== undefined && URL.canParse(origin) && new URL(origin).host === url.host) return new URL(origin).origin;
  return url.origin;
}

/** The maximum number of bytes that the forms of a person hold at the same time: an import and some more. */
const HELD_BYTES = 96 * 1024 * 1024;

/**
 * Refuses a form while the pending forms of the same person are too large in total: each is in memory until its
 * response is sent.
 */
export function holdBody(limitOf: (path: string) => number): MiddlewareHandler<PanelEnv> {
  const take = createBodyBudget(HELD_BYTES);
  return async function checkBodies(c, next) {
    if (isRead(c.req.method)) return next();
    const declared = c.req.header('content-length');
    const release = take(c.get('visit').person.name, Number(declared ?? limitOf(c.req.path)));
    if (!release) return errorPage(409, 'You are uploading other files. Wait until they have arrived, and try again.');
    try {
      return await next();
    } finally {
      release();
    }
  };
}

/** Reads the form. Refuses forms without the token of their URL, and every change by people with view-only access. */
export const mayChange = (options: PanelOptions): MiddlewareHandler<PanelEnv> =>
  async function checkForm(c, next) {
    if (isRead(c.req.method)) return next();
    const form: FormFields = await c.req.parseBody({ all: true }).catch(() => ({}));
    const refused = await whyRefused(c, options);
    if (refused) return refused;
    const { session, url } = c.get('visit');
    if (!isFormToken(form['token'], session, url.pathname)) {
      return errorPage(
        403,
        'This form has expired or belongs to another session. Go back, reload the page and send it again.',
      );
    }
    const values = Object.values(form).flat();
    if (values.some((value) => typeof value === 'string' && value.includes('\0'))) {
      return errorPage(400, 'A field contains a NUL character, which cannot be stored. Remove it and try again.');
    }
    c.set('form', form);
    return next();
  };

/**
 * The response to people who may not change anything. The session is verified again, because somebody may have been
 * revoked while their form arrived, or while it waited.
 */
export async function whyRefused(
  c: PanelContext,
  { store, clock = Date }: PanelOptions,
): Promise<Response | undefined> {
  const visit = c.get('visit');
  const person = await store.findSession(visit.session, clock.now());
  if (!person || person.blogId !== visit.person.blogId) return notSignedIn(c);
  c.set('visit', { ...visit, person });
  if (person.role === 'manage' || visit.url.pathname === '/panel/sign-out') return undefined;
  return errorPage(
    403,
    'You have view-only access to this blog. Ask the person who invited you for permission to manage it.',
  );
}

/** Finds the blog of the URL, which is 404 for people without access to it. */
export const withBlog = ({ store }: PanelOptions): MiddlewareHandler<PanelEnv> =>
  async function findBlog(c, next) {
    const visit = c.get('visit');
    const id = partOf(c, 'blog');
    const [blog] = [null, id].includes(visit.person.blogId) ? await store.listBlogs(id) : [];
    if (!blog) return c.notFound();
    c.set('blogVisit', { ...visit, blog });
    c.set('numbers', numbersFor(c.req.header('accept-language'), blog.timeZone));
    c.set('visit', c.get('blogVisit'));
    return next();
  };

/** Hides a page from people who cannot use it. */
export const managersOnly: MiddlewareHandler<PanelEnv> = async function checkRole(c, next) {
  return mayManage(c.get('blogVisit')) ? next() : c.notFound();
};

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

const TITLES: Readonly<Partial<Record<number, string>>> = {
  400: 'Invalid request',
  401: 'Sign in',
  403: 'Not allowed',
  404: 'Not found',
  413: 'Too large',
};

export function errorPage(
  status: 400 | 401 | 403 | 404 | 409 | 413 | 500 | 503,
  message: string,
  title: string = TITLES[status] ?? 'Something went wrong',
): Response {
  return send(
    null,
    <Bare title={title}>
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
      null,
      <Bare title="One moment" refresh={`0; url=${pathname}${search}`}>
        <p>
          <a href={pathname + search}>Continue to the panel</a>
        </p>
      </Bare>,
    );
  }
  return send(
    null,
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
