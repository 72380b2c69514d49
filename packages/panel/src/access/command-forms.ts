import {
  COMMANDS,
  type Command,
  type CommandName,
  type CommandTable,
  OperationError,
  readTyped,
  runCommand,
} from '@broadsheet/management';
import type { Hono } from 'hono';
import type { PanelOptions } from '../panel-options.ts';
import { withSecrets } from './change-unknown.ts';
import { goTo } from './send.tsx';
import {
  type FormFields,
  filesOf,
  numberOf,
  type Problems,
  type Secret,
  type Sent,
  seenIn,
  textOf,
  textsOf,
} from './sent.ts';
import { actorOf, type PanelContext, type PanelEnv, panelPath, type Visit } from './visit.ts';

/** How the panel runs a command from a form, which is one command, and what it shows afterwards. */
export interface CommandForm {
  /** The arguments, by default those that were typed. */
  args?(sent: Submission): object | Promise<object>;
  /** The result that is shown if the command succeeds. */
  readonly shows?: Outcome | ((result: never, sent: Submission) => Outcome);
}

/** A form that was sent. */
export interface Submission {
  readonly form: FormFields;
  /** The arguments that were typed, in the fields with their names. */
  readonly typed: Readonly<Record<string, unknown>>;
  readonly visit: Visit;
  /** The id of the blog that the command acts on; empty for a command on the server. */
  readonly blog: string;
  /** A path below the blog of the form. */
  path(...parts: readonly string[]): string;
}

/** The result that is shown after a command. */
interface Outcome {
  /** The path of a page; by default the page that the form names, otherwise the page of the form. */
  readonly to?: string;
  /** The notice there. */
  readonly done?: string;
  readonly secret?: Secret;
  /** What was not done although the rest was. */
  readonly problems?: Problems;
}

type CommandForms = Readonly<Partial<Record<CommandName, CommandForm>>>;

/**
 * Adds the forms of commands: `POST /panel/BLOG/GROUP.COMMAND`, and `POST /panel/PAGE/GROUP.COMMAND` for commands on the
 * server. The middleware has verified the session, the role and the token of the form.
 *
 * @param page the page of the forms: a path with fields of the form, such as `ads/:ad`. It shows their problems
 */
export function commandForms(app: Hono<PanelEnv>, { store }: PanelOptions, page: string, forms: CommandForms): void {
  for (const [name, { args, shows = {} }] of Object.entries(forms)) {
    const row = (COMMANDS as CommandTable)[name] as Command;
    app.post(`/panel/${row.on === undefined ? ':blog' : page}/${name}`, async (c) => {
      const [form, visit] = [c.get('form'), c.get('visit')];
      const path = (...parts: readonly string[]) => panelPath(...(visit.blog ? [visit.blog.id] : []), ...parts);
      const typed = readTyped(row, (field) => textsOf(form, field), true);
      const blog = visit.blog?.id ?? (row.on === 'server' ? '' : textOf(form, 'id').trim());
      const sent: Submission = { form, typed, visit, blog, path };
      const here = path(...page.split('/').map((part) => (part.startsWith(':') ? textOf(form, part.slice(1)) : part)));
      c.set('again', (found, status) => showPage(app, c, here, { problems: [...found, ...filesIn(form)], status }));
      const call = {
        ...{ name, blog, actor: actorOf(visit), once: numberOf(form), seen: seenIn(form) },
        args: async () => (args ? args(sent) : typed),
      };
      const work = async () => {
        const result = await runCommand({ store, now: visit.now, commands: COMMANDS }, call);
        return typeof shows === 'function' ? shows(result as never, sent) : shows;
      };
      const {
        to = safeReturn(form['back'], here),
        done,
        secret,
        problems,
      } = await work().catch((error: unknown) => {
        // The response is the same as before, unless it needs the result of the command, which is no longer kept.
        const isRepeated = error instanceof OperationError && error.code === 'ALREADY_SENT';
        if (typeof shows !== 'function' && isRepeated) return shows;
        throw withSecrets(error, (result: never) => {
          const { secret: shown } = typeof shows === 'function' ? shows(result, sent) : shows;
          return shown ? [shown] : [];
        });
      });
      if (problems) return showPage(app, c, to, { problems });
      if (secret) return showPage(app, c, to, { secrets: [secret] });
      return goTo(done === undefined ? to : safeReturn(to, here, done));
    });
  }
}

/** The page to show after a change: the page of the panel that the form names, or the fallback. */
function safeReturn(given: unknown, fallback: string, done?: string): string {
  const origin = 'http://panel.invalid';
  const named = typeof given === 'string' && URL.canParse(given, origin) ? new URL(given, origin) : undefined;
  // Compared after parsing: `/panel/..//evil.example` would be a link to another host.
  const isOwn = named?.origin === origin && named.pathname.startsWith('/panel/');
  const target = isOwn ? named : new URL(fallback, origin);
  if (done) target.searchParams.set('done', done);
  return target.pathname + target.search;
}

/** A browser does not send a file again, so the form asks for it again if another field has a problem. */
const filesIn = (form: FormFields): Problems =>
  Object.keys(form)
    .filter((at) => filesOf(form, at).some(({ size }) => size > 0))
    .map((at) => ({ at, message: 'Choose the file again: nothing was stored.' }));

/** Shows a page as the response to a form, with the problems of the form or with secrets. */
export async function showPage(
  app: Hono<PanelEnv>,
  c: PanelContext,
  path: string,
  {
    status = 200,
    problems = [],
    secrets = [],
  }: Partial<Pick<Sent, 'problems' | 'secrets'>> & { readonly status?: number },
): Promise<Response> {
  const { url } = c.get('visit');
  const request = new Request(new URL(path, url), { headers: c.req.raw.headers });
  const page = await app.fetch(request, { sent: { problems, secrets, to: url.pathname, fields: c.get('form') } });
  return page.ok ? new Response(page.body, { status, headers: page.headers }) : page;
}
