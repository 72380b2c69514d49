import { createManagementClient } from '@broadsheet/management';
import { copyDatabase } from '@broadsheet/store';
import { openStore, sqlCopyEnd } from '@broadsheet/store/node';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { deploymentCopyEnd } from '../src/deployment/copy.ts';
import { type Deployment, deploy } from './deployment.ts';

let deployment: Deployment;
beforeEach(async () => {
  deployment = await deploy({ entry: './cut-deletion.fixture.ts' });
});
afterEach(() => deployment.stop());

const index = async (): Promise<unknown> => {
  const headers = { authorization: `Bearer ${deployment.token}` };
  return ((await (await fetch(`${deployment.url}/manage`, { headers })).json()) as { result: unknown }).result;
};

/** Deletes a blog, but not its entry in the index. */
async function cutDeletion(id: string): Promise<void> {
  await deployment.importBlog({ id, name: id, apiKeys: [`key of ${id}`], posts: [] });
  await expect(deployment.manage(id, 'blogs.delete', { yes: true })).rejects.toThrow('the index is lost');
  expect(await index()).toEqual([id]);
}

test('an interrupted deletion is completed by the next listing', async () => {
  await cutDeletion('ghost');
  const client = createManagementClient(deployment.url, deployment.token);
  expect(await client.run('blogs.list', '', {})).toEqual([]);
  expect(await index()).toEqual([]);
});

test('an interrupted deletion does not prevent a copy into the deployment', async () => {
  await cutDeletion('shade');
  const url = `sqlite:${temporaryFolder().join('source.db')}`;
  const source = await openStore(url);
  await source.importBlogs([{ id: 'news', name: 'News' }], Date.now());
  await source.close();
  await copyDatabase(await sqlCopyEnd(url), deploymentCopyEnd(deployment.url, deployment.token), () => {});
  expect(await index()).toEqual(['news']);
});
