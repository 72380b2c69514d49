import { sha256Hex } from '../blogs/api-key.ts';
import { lockBlog } from '../blogs/blogs.ts';
import type { Database } from '../database.ts';
import { insert } from '../sql.ts';
import type { Tables } from '../tables.ts';
import { isoTime } from './iso-time.ts';

/** A campaign of a blog. */
export interface CampaignKey {
  readonly blog: string;
  readonly campaign: string;
}

const ID_DIGITS = 12;

/** The links under which sponsors read the reports of their campaigns. Deleting a campaign revokes its links. */
export function createReportLinks({ reader, transact }: Pick<Database, 'reader' | 'transact'>) {
  return {
    /** Adds a link with this token; `undefined` when the blog or the campaign does not exist. */
    addReportLink: (
      key: CampaignKey,
      token: string,
      now: number,
      { expiresAt, showsPace }: Pick<ReportLink, 'expiresAt' | 'showsPace'>,
    ) =>
      transact(async (db) => {
        if (!(await lockBlog(db, key.blog))) return undefined;
        const campaigns = await db`select id from campaigns where blog_id = ${key.blog} and id = ${key.campaign}`;
        if (campaigns.length === 0) return undefined;
        const row = {
          token_hash: await sha256Hex(token),
          blog_id: key.blog,
          campaign_id: key.campaign,
          created_at: new Date(now).toISOString(),
          expires_at: expiresAt === null ? null : Date.parse(expiresAt),
          shows_pace: Number(showsPace),
        };
        await db`delete from report_links where blog_id = ${key.blog} and expires_at <= ${now}`;
        await insert(db, 'report_links', [row]);
        return toLink(row);
      }),
    /** The links that work now, oldest first. */
    async listReportLinks({ blog, campaign }: CampaignKey, now: number) {
      const rows = await reader<Tables['report_links']>`select * from report_links
        where blog_id = ${blog} and campaign_id = ${campaign} and (expires_at is null or expires_at > ${now})
        order by created_at, token_hash`;
      return rows.map(toLink);
    },
    /** Removes a link. Returns `false` if no link has this id. */
    revokeReportLink: (key: CampaignKey, id: string) =>
      transact(async (db) => {
        const rows = await db`delete from report_links
          where blog_id = ${key.blog} and campaign_id = ${key.campaign}
            and substr(token_hash, 1, ${ID_DIGITS}) = ${id} returning token_hash`;
        return rows.length > 0;
      }),
    /** The campaign whose report a token shows; `undefined` for a token that is unknown, revoked or expired. */
    async findReport(token: string, now: number) {
      const rows = await reader<CampaignKey & { readonly showsPace: number }>`select blog_id as blog,
          campaign_id as campaign, shows_pace as "showsPace" from report_links
        where token_hash = ${await sha256Hex(token)} and (expires_at is null or expires_at > ${now})`;
      return rows[0];
    },
  };
}

const toLink = ({ token_hash, created_at, expires_at, shows_pace }: Tables['report_links']) => ({
  /** The first digits of the hash, which are enough to identify it. */
  id: token_hash.slice(0, ID_DIGITS),
  createdAt: created_at,
  /** When the link stops working; `null` for a link that does not expire. */
  expiresAt: isoTime(expires_at),
  /** Whether the report says how far the campaign is ahead of its plan, or behind. */
  showsPace: shows_pace === 1,
});

/** A link to the report of a campaign, as the operator sees it: its token is stored as a hash. */
export type ReportLink = ReturnType<typeof toLink>;
