import { fromBase64, toBase64 } from '../base64.ts';
import { sha256Hex } from '../blogs/api-key.ts';
import type { Database } from '../database.ts';
import type { Db } from '../sql.ts';
import type { Tables } from '../tables.ts';
import { addUploadRow } from '../upload-rows.ts';

/** Milliseconds for which a request is remembered, so that it is not carried out again. */
const REQUEST_LIFE = 24 * 60 * 60 * 1000;
/** Milliseconds for which its result is kept for a repeat: it may contain a key that is shown only once. */
const RESULT_LIFE = 60 * 60 * 1000;
/** Characters per row: a row of a Durable Object has at most 2 MB. */
const ROW = 1024 * 1024;

/** The names of the rows of a request, in the table of uploads. */
const [REQUEST, RESULT] = ['', 'result'];

/** A request that was carried out, with its result while that is kept. */
export type Receipt = { readonly isKept: true; readonly result: unknown } | { readonly isKept: false };

/**
 * The requests that were carried out, by their numbers, so that each is carried out once although its sender repeats it.
 * A result is encrypted with the number of its request. Only a hash of the number is stored, so that neither the database
 * nor a backup reveals a key.
 */
export function createReceipts({ reader, transact }: Pick<Database, 'reader' | 'transact'>) {
  return {
    /** What is known about a request; `undefined` if it was not carried out. */
    findReceipt: (request: string, now: number) => findReceipt(reader, request, now),
    /**
     * Records that a request is carried out; `false` if it was before. In the transaction of the request, this waits for
     * the same request in another one.
     */
    claimRequest: async (request: string, now: number): Promise<boolean> => {
      const session_hash = await ownerOf(request);
      return transact((db) => addUploadRow(db, { session_hash, name: REQUEST, expires_at: now + REQUEST_LIFE }));
    },
    /** Keeps the result of a request for an hour, unless it has one. */
    keepResult: (request: string, result: unknown, now: number): Promise<void> =>
      transact((db) => keepResult(db, request, result, now)),
  };
}

export async function keepResult(db: Db, request: string, result: unknown, now: number): Promise<void> {
  const session_hash = await ownerOf(request);
  await addUploadRow(db, { session_hash, name: REQUEST, expires_at: now + REQUEST_LIFE });
  const text = await encrypt(request, JSON.stringify({ result }));
  for (let part = 0; part * ROW < text.length; part += 1) {
    const content = text.slice(part * ROW, (part + 1) * ROW);
    await addUploadRow(db, { session_hash, name: RESULT, part, content, expires_at: now + RESULT_LIFE });
  }
}

async function findReceipt(db: Db, request: string, now: number): Promise<Receipt | undefined> {
  const rows = await db<Pick<Tables['uploads'], 'name' | 'content' | 'expires_at'>>`
    select name, content, expires_at from uploads where session_hash = ${await ownerOf(request)} order by name, part`;
  if (rows.length === 0) return undefined;
  const kept = rows.filter(({ name, expires_at }) => name === RESULT && expires_at > now);
  if (kept.length === 0) return { isKept: false };
  const { result } = JSON.parse(await decrypt(request, kept.map(({ content }) => content).join('')));
  return { isKept: true, result };
}

/** The owner of the rows of a request. No session has this hash, because it is not hexadecimal. */
const ownerOf = async (request: string): Promise<string> => `request ${await sha256Hex(request)}`;

const utf8 = new TextEncoder();
/** The bytes of the initialization vector before the encrypted bytes. */
const IV = 12;

async function encrypt(request: string, text: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(IV));
  const algorithm = { name: 'AES-GCM', iv };
  const encrypted = await crypto.subtle.encrypt(algorithm, await keyOf(request), utf8.encode(text));
  const bytes = new Uint8Array(IV + encrypted.byteLength);
  bytes.set(iv);
  bytes.set(new Uint8Array(encrypted), IV);
  return toBase64(bytes);
}

async function decrypt(request: string, text: string): Promise<string> {
  const bytes = fromBase64(text);
  const algorithm = { name: 'AES-GCM', iv: bytes.subarray(0, IV) };
  return new TextDecoder().decode(await crypto.subtle.decrypt(algorithm, await keyOf(request), bytes.subarray(IV)));
}

/** A key that nobody can compute from the stored hash of the request. */
async function keyOf(request: string) {
  const digest = await crypto.subtle.digest('SHA-256', utf8.encode(`result ${request}`));
  return crypto.subtle.importKey('raw', digest, 'AES-GCM', false, ['encrypt', 'decrypt']);
}
