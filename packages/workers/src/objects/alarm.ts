import { WebhookSender } from '@broadsheet/management';
import type { SendRequest } from '@broadsheet/store';
import type { DurableStorage } from '../durable/driver.ts';
import type { DurableStore } from '../durable/open-durable-store.ts';

/** Milliseconds until old events are removed again. */
const HOUR = 60 * 60 * 1000;
/** Milliseconds that the receiver of a webhook has to respond, and the characters of the response that are kept. */
const TIMEOUT = 15_000;
const KEPT = 500;
/** The maximum number of requests of one alarm, after which it rings again: the free plan permits 50. */
const MAX_REQUESTS = 40;

/** Wakes an object for work that no request triggers. An object has one alarm, set to the earliest of its times. */
export function createAlarm(storage: DurableStorage) {
  let at: number | null | undefined;

  async function setBefore(timestamp: number): Promise<void> {
    if (at === undefined) at = await storage.getAlarm();
    if (at !== null && at <= timestamp) return;
    at = timestamp;
    await storage.setAlarm(timestamp);
  }
  /** Sets the alarm to the time of the next scheduled post, and of the next message of a webhook. */
  async function setForWork(): Promise<void> {
    const earliest = "select min(scheduled_at) as due from posts where status = 'SCHEDULED'";
    const [row] = storage.sql.exec(earliest).toArray();
    if (typeof row?.['due'] === 'string') await setBefore(Date.parse(row['due']));
    const [next] = storage.sql.exec('select min(next_at) as due from webhook_messages').toArray();
    if (typeof next?.['due'] === 'number') await setBefore(Math.max(next['due'], Date.now()));
  }
  /** Sets the alarm to a time at which clicks and idempotency keys are removed. */
  const setForEvents = () => setBefore(Date.now() + HOUR);

  return {
    setForWork,
    setForEvents,
    async ring(store: DurableStore, now: number): Promise<void> {
      at = null;
      for (const { id } of await store.listBlogs()) await store.publishDuePosts(id, now);
      await store.prune(Date.now());
      const report = (message: string, cause: unknown) => console.warn(message, cause);
      const clock = { now: () => now };
      // The object is the only process of its blog, so a process that still holds the lease was killed.
      storage.sql.exec("update leases set holder = ''");
      await new WebhookSender({ outbox: store.outbox, send, clock, report, maxRequests: MAX_REQUESTS }).sendDue();
      await setForWork();
      const remembered = `select exists (select 1 from used_tokens) or exists (select 1 from counted_clicks)
        or exists (select 1 from deliveries) as any`;
      if (storage.sql.exec(remembered).toArray()[0]?.['any']) await setForEvents();
    },
  };
}

/** Sends a request of a webhook. The network of Workers only reaches public addresses. */
const send: SendRequest = async (url, { headers, body, signal }) => {
  const within = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]);
  const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal: within });
  const reader = response.body?.getReader();
  const start = await reader?.read();
  await reader?.cancel();
  return { status: response.status, text: new TextDecoder().decode(start?.value).slice(0, KEPT).toWellFormed() };
};
