import type { Click, ClickOutcome } from '@broadsheet/core';
import { type Kysely, sql } from 'kysely';
import { dayOf } from '../events/event-writes.ts';
import type { Tables } from '../tables.ts';

/**
 * Uses a token up and counts its click unless it repeats one: one statement, so one round trip and one commit. Every
 * process takes its rows in the same order (token, visitor, count), hence none ever waits in a circle.
 */
export async function recordClick(db: Kysely<Tables>, blogId: string, click: Click): Promise<ClickOutcome> {
  const visitor = click.visitor ?? null;
  const { rows } = await sql<{ used: number; counted: number }>`
    with used as (
      insert into used_tokens (blog_id, token_id, expires_at)
      values (${blogId}, ${click.tokenId}, ${click.tokenExpiresAt})
      on conflict do nothing returning token_id
    ), fresh as (
      insert into counted_clicks as before (blog_id, ad_id, visitor, at)
      select ${blogId}, ${click.adId}, ${visitor}, ${click.at}::bigint from used where ${visitor}::text is not null
      on conflict (blog_id, ad_id, visitor) do update set at = excluded.at where before.at < ${click.repeatSince}
      returning at
    ), counted as (
      insert into ad_counts as before (blog_id, day, ad_id, impressions, clicks)
      select ${blogId}, ${dayOf(click.at)}, ${click.adId}, 0, 1 from used
      where ${visitor}::text is null or exists (select from fresh)
      on conflict (blog_id, day, ad_id) do update set clicks = before.clicks + 1
      returning ad_id
    )
    select (select count(*) from used) as used, (select count(*) from counted) as counted`.execute(db);
  const [row] = rows;
  if (!row?.used) return 'used';
  return row.counted ? 'counted' : 'repeated';
}
