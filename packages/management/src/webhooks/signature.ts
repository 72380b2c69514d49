import { signedContent, WEBHOOK_SECRET_PREFIX } from '@broadsheet/contract';

const encoder = new TextEncoder();

/** A new secret of a webhook: 256 random bits. */
export function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return `${WEBHOOK_SECRET_PREFIX}${btoa(String.fromCharCode(...bytes))}`;
}

/** The signatures of a request, one for each secret. */
export async function signaturesOf(
  secrets: readonly string[],
  { id, timestamp, body }: { readonly id: string; readonly timestamp: number; readonly body: string },
): Promise<string> {
  const content = encoder.encode(signedContent(id, timestamp, body));
  const signatures = secrets.map(async (secret) => {
    const bytes = Uint8Array.from(atob(secret.slice(WEBHOOK_SECRET_PREFIX.length)), (text) => text.charCodeAt(0));
    const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
    const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, content));
    return `v1,${btoa(String.fromCharCode(...signature))}`;
  });
  return (await Promise.all(signatures)).join(' ');
}
