import { HEADERS, PAGE_POLICY } from './policy.ts';

/** A page as an answer, with the policy that holds for it. */
export function send(
  page: { toString(): string | Promise<string> },
  { status = 200, policy = PAGE_POLICY }: { readonly status?: number; readonly policy?: string } = {},
): Response {
  return new Response(`<!doctype html>\n${page}`, {
    status,
    headers: { ...HEADERS, 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy },
  });
}

/** Leads on to another page after a change, so that loading it again repeats nothing. */
export function goTo(path: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(null, { status: 303, headers: { ...HEADERS, ...headers, location: path } });
}
