/** What a page says after a change, by the word in its address: the only words it can be made to say. */
export const NOTICES: Readonly<Record<string, string>> = {
  saved: 'Saved.',
  paused: 'Paused. It is delivered no more.',
  resumed: 'Resumed. It is delivered again, within its dates.',
  restored: 'It is back. What it had earned before is not.',
  published: 'Published. Readers can see it now.',
  scheduled: 'Scheduled. It is published by itself when its time comes.',
  unpublished: 'Taken back. It is a draft now.',
  imported: 'Imported. What came is in the lists; the log says how much of it is new.',
  revoked: 'Revoked.',
  domains: 'Saved. These pages may report clicks.',
};
