import type { DurableStorage } from '../durable/driver.ts';
import type { DurableStore } from '../durable/open-durable-store.ts';

/** Between two rounds in which old events are removed. */
const HOUR = 60 * 60 * 1000;

/** Wakes an object for what is to happen without a request. */
export interface Alarm {
  /** A post may be due earlier than it was. */
  setForPosts(): Promise<void>;
  /** There is a click or an idempotency key that is to be removed later. */
  setForEvents(): Promise<void>;
  /** What is done when it rings. */
  ring(store: DurableStore, now: number): Promise<void>;
}

/** An object has one alarm: it rings at the earliest of the instants it was set to. */
export function createAlarm(storage: DurableStorage): Alarm {
  let at: number | null | undefined;

  async function setBefore(instant: number): Promise<void> {
    if (at === undefined) at = await storage.getAlarm();
    if (at !== null && at <= instant) return;
    at = instant;
    await storage.setAlarm(instant);
  }
  async function setForPosts(): Promise<void> {
    const earliest = "select min(scheduled_at) as due from posts where status = 'SCHEDULED'";
    const [row] = storage.sql.exec(earliest).toArray();
    if (typeof row?.['due'] === 'string') await setBefore(Date.parse(row['due']));
  }
  const setForEvents = () => setBefore(Date.now() + HOUR);

  return {
    setForPosts,
    setForEvents,
    async ring(store, now) {
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
