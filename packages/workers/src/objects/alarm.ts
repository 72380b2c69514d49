import type { DurableStorage } from '../durable/driver.ts';
import type { DurableStore } from '../durable/open-durable-store.ts';

/** Milliseconds between two removals of old events. */
const HOUR = 60 * 60 * 1000;

/** Wakes an object for work that no request triggers. An object has one alarm, set to the earliest of its times. */
export function createAlarm(storage: DurableStorage) {
  let at: number | null | undefined;

  async function setBefore(instant: number): Promise<void> {
    if (at === undefined) at = await storage.getAlarm();
    if (at !== null && at <= instant) return;
    at = instant;
    await storage.setAlarm(instant);
  }
  /** Sets the alarm to the time of the next scheduled post. */
  async function setForPosts(): Promise<void> {
    const earliest = "select min(scheduled_at) as due from posts where status = 'SCHEDULED'";
    const [row] = storage.sql.exec(earliest).toArray();
    if (typeof row?.['due'] === 'string') await setBefore(Date.parse(row['due']));
  }
  /** Sets the alarm to a time at which clicks and idempotency keys are removed. */
  const setForEvents = () => setBefore(Date.now() + HOUR);

  return {
    setForPosts,
    setForEvents,
    async ring(store: DurableStore, now: number): Promise<void> {
      at = null;
      for (const { id } of await store.listBlogs()) await store.publishDuePosts(id, now);
      await store.prune(Date.now());
      await setForPosts();
      const remembered = `select exists (select 1 from used_tokens) or exists (select 1 from counted_clicks)
        or exists (select 1 from deliveries) as any`;
      if (storage.sql.exec(remembered).toArray()[0]?.['any']) await setForEvents();
    },
  };
}
