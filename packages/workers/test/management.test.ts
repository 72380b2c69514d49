import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fetchAlone } from '../../../tools/testing/workerd.ts';
import { type Deployment, deploy } from './deployment.ts';

let deployment: Deployment;
const send = async (path: string, authorization: string, init: RequestInit = {}) => {
  const request = new Request(`${deployment.url}${path}`, { ...init, headers: { authorization } });
  const response = await fetchAlone(request);
  return { status: response.status, text: await response.text() };
};

describe.each([
  ['no secret', ''],
  ['a secret that is too short', 'thirty-one characters, only it.'],
])('a deployment with %s', (_, token) => {
  beforeAll(async () => {
    deployment = await deploy({ token });
  });
  afterAll(() => deployment.stop());

  it('management is disabled without a secret of sufficient length', async () => {
    for (const path of ['/manage', '/manage/blogs/news/keys.list', '/manage/anything/at/all']) {
      for (const method of ['GET', 'POST']) {
        expect(await send(path, `Bearer ${token}`, { method })).toEqual({ status: 404, text: 'Not found\n' });
      }
    }
  });
});

describe('management', { shuffle: false }, () => {
  beforeAll(async () => {
    deployment = await deploy();
  });
  afterAll(() => deployment.stop());

  it.each(['', 'Bearer', 'Bearer wrong', 'Basic abc'])('management refuses authorization %j', async (authorization) => {
    expect((await send('/manage', authorization)).status).toBe(401);
    expect((await send('/manage/blogs/news/blogs.delete', authorization, { method: 'POST', body: '{}' })).status).toBe(
      401,
    );
  });

  it.each([
    ['an unknown path', '/manage/blogs/a/b/c', 'POST', '{}', 404],
    ['a wrong method', '/manage/blogs/news/keys.list', 'GET', undefined, 405],
    ['a malformed escape', '/manage/blogs/%ff/keys.list', 'POST', '{}', 400],
    ['a body that is not an object', '/manage/blogs/news/keys.list', 'POST', '[]', 400],
    ['an argument that the command does not have', '/manage/blogs/news/keys.list', 'POST', '{"a":1}', 400],
    ['an unknown command', '/manage/blogs/news/signingSecret', 'POST', '{}', 404],
    ['a name that every object has', '/manage/blogs/news/constructor', 'POST', '{}', 404],
  ])('management refuses %s', async (_, path, method, body, status) => {
    const response = await send(path, `Bearer ${deployment.token}`, { method, ...(body !== undefined && { body }) });
    expect(response.status, response.text).toBe(status);
  });
});
