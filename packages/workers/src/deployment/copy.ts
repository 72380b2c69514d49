import { createManagementClient, type ManagementClient, OperationError } from '@broadsheet/management';
import type { CopyEnd, CopySource, CopyTable, CopyTarget, Row } from '@broadsheet/store';
import { DatabaseNotEmpty } from '@broadsheet/store';
import { type DurableCopy, withBytes, withText } from '../durable/copy.ts';
import { inGroups } from '../durable/in-groups.ts';
import type { CopyStep } from '../management/commands.ts';
import { requireSmallImage } from '../objects/images.ts';

/** Tables of the deployment itself; the others belong to its blogs. */
const OWN_TABLES: ReadonlySet<CopyTable> = new Set<CopyTable>([
  'secrets',
  'people',
  'invitations',
  'panel_sessions',
  'panel_log',
  'management_tokens',
]);
/** The id under which the client runs a command on the deployment itself. */
const DEPLOYMENT = '';
/** The approximate size of a request, in bytes of rows. */
const REQUEST_BYTES = 1_900_000;
/** The largest row, in bytes of JSON: a row of a Durable Object has at most 2 MB. */
const ROW_BYTES = 1_900_000;

/**
 * A deployment as the source or the target of a copy. Each blog is copied from a consistent snapshot.
 *
 * @param url the URL of the deployment
 * @param token its secret `ADMIN_TOKEN`
 */
export function deploymentCopyEnd(url: string, token: string | undefined): CopyEnd {
  const client = createManagementClient(url, token);
  return { read: (work) => readFrom(client, work), write: (work) => writeTo(client, work) };
}

type CopyPage = Awaited<ReturnType<DurableCopy['read']>>;

/** Runs a step of a copy in an object. */
async function step<T>(client: ManagementClient, name: CopyStep, blogId: string, args: object = {}): Promise<T> {
  try {
    return (await client.run(name, blogId, args)) as T;
  } catch (error) {
    if (!(error instanceof OperationError && error.code === 'NOT_FOUND')) throw error;
    throw new OperationError('Only a deployment on Workers is copied by its URL; a server is copied by its database.');
  }
}

/** Every object retains a snapshot of its rows until the copy is complete. */
async function readFrom<T>(client: ManagementClient, work: (source: CopySource) => Promise<T>): Promise<T> {
  const blogs = await client.listBlogIds();
  const objects = [DEPLOYMENT, ...blogs];
  let posts = 0;
  async function* pages(blogId: string, table: CopyTable): AsyncGenerator<readonly Row[]> {
    for (let next: number | undefined = 0; next !== undefined; ) {
      const page: CopyPage = await step(client, 'copy.read', blogId, { table, from: next });
      if (page.rows.length > 0) yield page.rows.map(withBytes);
      next = page.next;
    }
  }
  try {
    for (const blogId of objects) posts += await step<number>(client, 'copy.begin', blogId);
    return await work({
      countPosts: async () => posts,
      async *rows(table) {
        // The log of a blog is in its object; the log of the deployment and of deleted blogs is not.
        const own = table === 'panel_log' ? objects : OWN_TABLES.has(table) ? [DEPLOYMENT] : blogs;
        for (const blogId of own) yield* pages(blogId, table);
      },
    });
  } finally {
    for (const blogId of objects) await step(client, 'copy.end', blogId).catch(() => undefined);
  }
}

/** No key opens a blog until the whole copy is written. */
async function writeTo<T>(client: ManagementClient, work: (target: CopyTarget) => Promise<T>): Promise<T> {
  const ids = await client.listBlogIds();
  const found = ids.length > 0 ? ((await client.run('blogs.list', '', {})) as { readonly id: string }[]) : [];
  const there = found.map(({ id }) => id);
  if (there.length > 0) throw new DatabaseNotEmpty('The deployment to copy into', there);
  const written = new Set<string>();
  await step(client, 'copy.clear', DEPLOYMENT);
  try {
    return await work(createTarget(client, written));
  } catch (error) {
    // No key opens what was written so far, unless one of the last steps failed.
    for (const blogId of written) await client.run('blogs.delete', blogId, { yes: true }).catch(() => undefined);
    throw error;
  }
}

function createTarget(client: ManagementClient, written: Set<string>): CopyTarget {
  let secrets: readonly Row[] = [];
  async function send(blogId: string, table: CopyTable, given: readonly Row[]): Promise<void> {
    const rows = given.map(withText);
    requireFitting(table, rows);
    for (const some of inGroups(rows, bytesOf, REQUEST_BYTES))
      await step(client, 'copy.write', blogId, { table, rows: some });
  }
  return {
    async write(table, rows) {
      if (table === 'secrets') secrets = rows;
      if (OWN_TABLES.has(table)) {
        await send(DEPLOYMENT, table, rows);
        return;
      }
      for (const [blogId, own] of Map.groupBy(rows, (row) => String(row['blog_id']))) {
        if (table === 'blogs') {
          written.add(blogId);
          await step(client, 'copy.clear', blogId);
          await send(blogId, 'secrets', secrets);
        }
        await send(blogId, table, own);
      }
    },
    async finish() {
      for (const blogId of written) await step(client, 'copy.finish', blogId);
    },
  };
}

/** @throws OperationError for a row that is too large for an object */
function requireFitting(table: CopyTable, rows: readonly Row[]): void {
  if (table === 'images') {
    for (const { size, hash, blog_id } of rows) requireSmallImage(Number(size), `The image ${hash} of blog ${blog_id}`);
  }
  const tooLarge = rows.find((row) => bytesOf(row) > ROW_BYTES);
  if (!tooLarge) return;
  const which = `${table.replaceAll('_', ' ')}: ${tooLarge['id'] ?? ''} of blog ${tooLarge['blog_id']}`;
  throw new OperationError(
    `${which} is larger than the 2 MB that a row of a Durable Object may have; import a shorter one first. Nothing was copied.`,
  );
}

const bytesOf = (row: Row): number => new TextEncoder().encode(JSON.stringify(row)).length;
