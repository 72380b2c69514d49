import { CORS } from '@broadsheet/core';
import { type AssetName, loadAsset } from './assets.ts';

/** The headers that let a page of any site load an asset, whatever its isolation. */
const SHARED = { ...CORS, 'cross-origin-resource-policy': 'cross-origin', 'x-content-type-options': 'nosniff' };

/**
 * Answers with a file for browsers. Under its plain name it is fresh for five minutes and then asked about with its
 * tag; with `?v=` and its version it never changes and may be kept for ever.
 */
export async function assetResponse(name: AssetName, request: Request): Promise<Response> {
  const { body, contentType, version } = await loadAsset(name);
  const etag = `"${version}"`;
  const pinned = new URL(request.url).searchParams.get('v') === version;
  const headers = {
    ...SHARED,
    etag,
    'cache-control': pinned
      ? 'public, max-age=31536000, immutable'
      : 'public, max-age=300, stale-while-revalidate=86400',
  };
  const known = request.headers.get('if-none-match')?.split(',') ?? [];
  if (known.some((tag) => tag.trim().replace(/^W\//, '') === etag)) return new Response(null, { status: 304, headers });
  return new Response(body, { headers: { ...headers, 'content-type': contentType } });
}
