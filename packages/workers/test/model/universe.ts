/** The few names and times from which commands choose, so that they often interact. */
export const BLOGS = ['a', 'b', 'c'];
export const POSTS = ['p0', 'p1', 'p2', 'p3'];
export const SLUGS = ['s0', 's1', 's2', 's3'];
export const CATEGORIES = ['c0', 'c1'];
export const TAGS = ['t0', 't1'];
export const ADS = [1, 2, 3].map((digit) => `00000000-0000-4000-8000-00000000000${digit}`);
export const CAMPAIGNS = ['spring', 'autumn'];
export const HOOKS = ['h0', 'h1'];
export const KEYS = ['key-0', 'key-1', 'key-2'];
export const WORDS = ['alpha', 'alphabet', 'Été', '日本語', '100%', 'word'];
export const MINUTE = 60_000;
/**
 * Far in the past, so that data stored with the time of the machine are never older than the data that a sequence
 * deletes.
 */
export const START = Date.parse('2024-02-29T22:00:00.000Z');
