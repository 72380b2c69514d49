import { OperationError, type Person, ROLES, type Role, requireBlog, type ServerStore } from '@broadsheet/management';
import { newPanelToken } from '@broadsheet/panel';
import { type CommandFlags, withOwnStore } from '../database/database.ts';
import { printResult } from '../program/output.ts';
import { table } from '../program/table.ts';

/** Writes a change by a command to the log of the panel. */
export async function logChange(store: ServerStore, blogId: string | null, what: string): Promise<void> {
  await store.writeLog({ at: new Date().toISOString(), who: 'command line', blogId, what });
}

/** The problem of a value of `--url`, if it has one. */
const urlProblem = (url: string): string[] =>
  /^https?:\/\/[^/]/.test(url)
    ? []
    : [`--url: expected the URL of the server, such as https://blog.example, received ${url}`];

/** @throws OperationError when a value of `--url` is not the URL of a server */
export function requireUrl(url: string): void {
  const problems = urlProblem(url);
  if (problems.length > 0) throw new OperationError(problems);
}

export async function invite(
  typed: string,
  flags: CommandFlags & { readonly blog?: string; readonly role: string; readonly url: string },
): Promise<void> {
  const name = typed.trim();
  const problems: string[] = [];
  if (name === '' || name.length > 100) problems.push('NAME: expected 1 to 100 characters, such as Ada');
  const role = ROLES.find((known) => known === flags.role);
  if (!role) problems.push(`--role: expected ${ROLES.join(' or ')}, received ${JSON.stringify(flags.role)}`);
  problems.push(...urlProblem(flags.url));
  if (problems.length > 0) throw new OperationError(problems);
  const person: Person = { name, role: role as Role, blogId: flags.blog ?? null };
  const token = newPanelToken();
  const now = Date.now();
  await withOwnStore(flags, async (store) => {
    if (flags.blog !== undefined) await requireBlog(store, flags.blog);
    await store.invitePerson(person, token, now);
    await logChange(store, person.blogId, `invited ${name} (${role})`);
  });
  const link = `${flags.url.replace(/\/+$/, '')}/panel/sign-in?token=${token}`;
  printResult(flags, { ...person, link }, `${name} can sign in with this link once, within an hour:\n${link}`);
}

export async function people(flags: CommandFlags): Promise<void> {
  const all = await withOwnStore(flags, (store) => store.listPeople(Date.now()));
  const rows = all.map(({ name, role, blogId, sessions, invited }) => [
    name,
    role,
    blogId ?? 'all',
    invited ? 'link unused' : sessions > 0 ? `signed in (${sessions})` : 'signed out',
  ]);
  const none = 'Nobody has been invited yet, so the panel is disabled. "broadsheet panel invite NAME" enables it.';
  printResult(flags, all, rows.length > 0 ? table(['NAME', 'ROLE', 'BLOG', 'STATE'], rows) : none);
}

export async function revokePerson(name: string, flags: CommandFlags): Promise<void> {
  const found = await withOwnStore(flags, async (store) => {
    const { blogId = null } = (await store.listPeople(Date.now())).find((person) => person.name === name) ?? {};
    const revoked = await store.revokePerson(name);
    if (revoked) await logChange(store, blogId, `revoked ${name}`);
    return revoked;
  });
  if (!found) {
    throw new OperationError(
      `There is nobody called ${JSON.stringify(name)}; "broadsheet panel people" lists everybody.`,
    );
  }
  printResult(flags, { name, revoked: true }, `${name} is signed out everywhere and can no longer sign in.`);
}
