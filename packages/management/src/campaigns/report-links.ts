import { type Database, lockBlog, sha256Hex, type Tables } from '@broadsheet/store';
import { sql } from 'kysely';
import { missing } from '../operations/blogs.ts';
import { readExpiry } from '../operations/instants.ts';
import { OperationError } from '../operations/operation-error.ts';
import type { ManagedStore } from '../remote/verbs.ts';

/** A link to the report of a campaign, as the operator sees it: its token is stored as a hash. */
export interface ReportLink {
  /** The first twelve hex digits of the hash, which are enough to identify it. */
  readonly id: string;
  readonly createdAt: string;
  /** When the link stops working; `null` for a link that does not expire. */
  readonly expiresAt: string | null;
}

/** A campaign of a blog. */
export interface CampaignKey {
  readonly blog: string;
  readonly campaign: string;
}

/** The links under which sponsors read the reports of their campaigns. Deleting a campaign revokes its links. */
export interface ReportLinkStore {
  /** Adds a link with this token; `undefined` when the blog or the campaign does not exist. */
  addReportLink(
    key: CampaignKey,
    token: string,
    now: number,
    expiresAt: string | null,
  ): Promise<ReportLink | undefined>;
  /** The links that work now, oldest first. */
  listReportLinks(key: CampaignKey, now: number): Promise<ReportLink[]>;
  /** Removes a link; `false` when there is none with this id. */
  revokeReportLink(key: CampaignKey, id: string): Promise<boolean>;
  /** The campaign whose report a token shows; `undefined` for a token that is unknown, revoked or expired. */
  findReport(token: string, now: number): Promise<CampaignKey | undefined>;
}

/**
 * Adds a link to the report of a campaign.
 *
 * @param expires when it stops working, as {@link readExpiry} takes it; empty for never
 * @throws OperationError
 */
export async function shareReport(
  store: ManagedStore & ReportLinkStore,
  key: CampaignKey,
  { token, expires }: { readonly token: string; readonly expires?: string | undefined },
  now: number,
): Promise<ReportLink> {
  const link = await store.addReportLink(key, token, now, readExpiry('expires', expires, now));
  return link ?? missing(store, key.blog, 'campaign', key.campaign);
}

/** Revokes a link to the report of a campaign, at once in every process. @throws OperationError */
export async function revokeReport(store: ReportLinkStore, key: CampaignKey, id: string): Promise<void> {
  if (await store.revokeReportLink(key, id)) return;
  throw new OperationError(`The campaign has no link ${JSON.stringify(id)}; it may be revoked already.`, 'NOT_FOUND');
}

const ID_DIGITS = 12;

export function createReportLinkStore({ reader, transact }: Pick<Database, 'reader' | 'transact'>): ReportLinkStore {
  return {
    addReportLink: (key, token, now, expiresAt) =>
      transact(async (db) => {
        if (!(await lockBlog(db, key.blog))) return undefined;
        const campaigns = db.selectFrom('campaigns').where('blog_id', '=', key.blog).where('id', '=', key.campaign);
        if ((await campaigns.select('id').execute()).length === 0) return undefined;
        const row = {
          token_hash: await sha256Hex(token),
          blog_id: key.blog,
          campaign_id: key.campaign,
          created_at: new Date(now).toISOString(),
          expires_at: expiresAt === null ? null : Date.parse(expiresAt),
        };
        await sql`delete from report_links where blog_id = ${key.blog} and expires_at <= ${now}`.execute(db);
        await db.insertInto('report_links').values(row).execute();
        return toLink(row);
      }),
    async listReportLinks({ blog, campaign }, now) {
      const { rows } = await sql<Tables['report_links']>`select * from report_links
        where blog_id = ${blog} and campaign_id = ${campaign} and (expires_at is null or expires_at > ${now})
        order by created_at, token_hash`.execute(reader);
      return rows.map(toLink);
    },
    revokeReportLink: (key, id) =>
      transact(async (db) => {
        const { rows } = await sql`delete from report_links
          where blog_id = ${key.blog} and campaign_id = ${key.campaign}
            and substr(token_hash, 1, ${sql.lit(ID_DIGITS)}) = ${id} returning token_hash`.execute(db);
        return rows.length > 0;
      }),
    async findReport(token, now) {
      const { rows } = await sql<CampaignKey>`select blog_id as blog, campaign_id as campaign from report_links
        where token_hash = ${await sha256Hex(token)} and (expires_at is null or expires_at > ${now})`.execute(reader);
      return rows[0];
    },
  };
}

const toLink = ({ token_hash, created_at, expires_at }: Tables['report_links']): ReportLink => ({
  id: token_hash.slice(0, ID_DIGITS),
  createdAt: created_at,
  expiresAt: expires_at === null ? null : new Date(expires_at).toISOString(),
});
