import { CORS, matchesTag } from '@broadsheet/core';
import { type AssetFile, ENCODINGS, type Encoding, loadAsset } from './assets.ts';

/** Headers that let a page of any site load an asset, even a page with cross-origin isolation. */
const SHARED = { ...CORS, 'cross-origin-resource-policy': 'cross-origin', 'x-content-type-options': 'nosniff' };

/**
 * Returns a file for browsers in the smallest encoding that the request accepts. Under its plain name it is fresh for
 * five minutes and then revalidated by its `ETag`; under a URL that names its version it never changes.
 *
 * @param versioned Whether the path names the current version, without `?v=`.
 */
export async function assetResponse(file: AssetFile, request: Request, versioned = false): Promise<Response> {
  const asset = await loadAsset(file);
  const { version, contentType, encoded } = asset;
  const encoding = chooseEncoding(request.headers.get('accept-encoding') ?? '');
  const etag = `"${version}${encoding ? `-${encoding}` : ''}"`;
  const pinned = versioned || new URL(request.url).searchParams.get('v') === version;
  const headers = {
    ...SHARED,
    etag,
    vary: 'Accept-Encoding',
    'cache-control': pinned
      ? 'public, max-age=31536000, immutable'
      : 'public, max-age=300, stale-while-revalidate=86400',
  };
  if (matchesTag(request.headers.get('if-none-match'), etag)) return new Response(null, { status: 304, headers });
  const body = encoding ? encoded[encoding] : asset.body;
  return new Response(body, {
    headers: {
      ...headers,
      'content-type': contentType,
      'content-length': String(Buffer.byteLength(body)),
      ...(encoding && { 'content-encoding': encoding }),
    },
  });
}

/** The smallest encoding that an `Accept-Encoding` header allows; `undefined` if it allows none. */
export function chooseEncoding(accepted: string): Encoding | undefined {
  const weights = new Map(
    accepted.split(',').map((entry) => {
      const [name = '', ...parameters] = entry.toLowerCase().split(';');
      const weight = parameters.find((parameter) => parameter.trim().startsWith('q='))?.split('=')[1];
      return [name.trim(), weight === undefined ? 1 : Number(weight)];
    }),
  );
  const allows = (name: string): boolean => (weights.get(name) ?? weights.get('*') ?? 0) > 0;
  return (Object.keys(ENCODINGS) as Encoding[]).find(allows);
}
