let noticed = false;

/** Logs once that visitors of the page can read the key. It is loaded separately, since only some pages need the text. */
export function noticeKey(): void {
  if (noticed) return;
  noticed = true;
  console.info(
    'Broadsheet: every visitor of this page can read the API key. It only reads published content and counts ads; ' +
      'if that is meant, pass { browser: true } to createClient.',
  );
}
