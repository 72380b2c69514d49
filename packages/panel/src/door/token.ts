import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A secret of 256 random bits, for a sign-in link or a session. */
export const newPanelToken = (): string => randomBytes(32).toString('base64url');

/** What a form must carry to be accepted: bound to the session and to where the form is sent. */
export function formToken(session: string, path: string): string {
  return createHash('sha256').update(`form\n${session}\n${path}`).digest('base64url');
}

export function isFormToken(given: unknown, session: string, path: string): boolean {
  const expected = Buffer.from(formToken(session, path));
  const received = Buffer.from(typeof given === 'string' ? given : '');
  return received.length === expected.length && timingSafeEqual(received, expected);
}
