let noticed = false;

/** Says once in a page that its key can be read. Loaded apart, for only some pages need the words. */
export function noticeKey(): void {
  if (noticed) return;
  noticed = true;
  console.info(
    'Broadsheet: every visitor of this page can read the API key. It only reads published content and counts ads; ' +
      'if that is meant, pass { browser: true } to createClient.',
  );
}
