import {
  type Clock,
  createAdEvents,
  createSigning,
  type FindBlog,
  type MemoryContent,
  type Random,
  type Signing,
  signPreview,
} from '@broadsheet/core';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { isbot } from 'isbot';

/** What the signing parts of a world need. */
export interface SigningPorts {
  readonly store: MemoryContent;
  readonly clock: Clock;
  readonly random: Random;
  readonly secret: string;
  readonly findBlog: FindBlog;
}

/** Creates what delivers the ads of a world and counts them, with the server's list of bots, and verifies previews. */
export function createWorldSigning({ store, clock, random, secret, findBlog }: SigningPorts): Signing {
  const ports = {
    store: { ...store, ...createAdEvents(store) },
    clock,
    random,
    hmac: createHmac(secret),
    isBot: isbot,
  };
  return createSigning({ ...ports, fingerprint: (address) => address }, findBlog);
}

type Previewed = Parameters<typeof signPreview>[1];

/** A preview token; `now` is in milliseconds since the epoch. */
export const previewToken = async (secret: string, post: Previewed, now: number): Promise<string> =>
  signPreview(createHmac(secret), post, now);

const utf8 = new TextEncoder();

/** HMAC-SHA256 without WebCrypto, which pages on plain http and Hermes lack. */
export function createHmac(secret: string): (text: string) => string {
  const key = utf8.encode(secret);
  return (text) => {
    const base64 = btoa(String.fromCharCode(...hmac(sha256, key, utf8.encode(text))));
    return base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  };
}
