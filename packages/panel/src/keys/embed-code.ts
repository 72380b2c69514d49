import { createHash } from 'node:crypto';
import { FORMAT_DETAILS } from '@broadsheet/ad-widget/formats';
import type { AdFormat, SnapshotAd } from '@broadsheet/contract';
import { loadAsset, WIDGET_FILES, widgetVersion } from '@broadsheet/http';

export interface EmbedCode {
  /** For the head of every page with ads. */
  readonly head: string;
  /** The element of each slot. */
  readonly slots: readonly string[];
  /** A complete page, to try the tags. */
  readonly page: string;
  /** What a Content-Security-Policy must allow. */
  readonly policy: string;
}

/** Files the widget loads when a page needs them. */
const ON_DEMAND = WIDGET_FILES.filter((name) => name.startsWith('broadsheet-'));

interface EmbedOptions {
  readonly origin: string;
  readonly apiKey: string;
  readonly formats: readonly AdFormat[];
  readonly ads: readonly SnapshotAd[];
  readonly pinned: boolean;
}

/** Creates the tags for a page. With `pinned` they contain the hash of each file, so that no other version runs. */
export async function embedCode({ origin, apiKey, formats, ads, pinned }: EmbedOptions): Promise<EmbedCode> {
  const folder = pinned ? `${origin}/broadsheet/${await widgetVersion()}` : origin;
  const [css, js] = [await integrity('broadsheet.css', pinned), await integrity('broadsheet.js', pinned)];
  const hashes = await Promise.all(ON_DEMAND.map(async (name) => [`${folder}/${name}`, await sha384(name)] as const));
  const map = JSON.stringify({ integrity: Object.fromEntries(hashes) }, undefined, 1);
  const head = [
    ...(pinned ? [`<script type="importmap">${map}</script>`] : []),
    `<link rel="stylesheet" href="${folder}/broadsheet.css"${css}>`,
    `<script async src="${folder}/broadsheet.js"${js}\n  data-base-url="${origin}" data-api-key="${apiKey}"></script>`,
  ].join('\n');
  const slots = formats.map(
    (format) => `<broadsheet-slot name="${FORMAT_DETAILS[format].name}" format="${format}"></broadsheet-slot>`,
  );
  const mapHash = pinned ? ` 'sha256-${createHash('sha256').update(map).digest('base64')}'` : '';
  return {
    head,
    slots,
    page: `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>A page with ads</title>\n${head}\n</head>\n<body>\n<h1>A page with ads</h1>\n${slots.join('\n')}\n</body>\n</html>\n`,
    policy: `script-src ${origin}${mapHash}; style-src ${origin}; connect-src ${origin}; img-src ${imageSources(ads, origin)}`,
  };
}

async function integrity(name: 'broadsheet.css' | 'broadsheet.js', pinned: boolean): Promise<string> {
  return pinned ? ` integrity="${await sha384(name)}" crossorigin` : '';
}

async function sha384(name: Parameters<typeof loadAsset>[0]): Promise<string> {
  const { body } = await loadAsset(name);
  return `sha384-${createHash('sha384').update(body).digest('base64')}`;
}

function imageSources(ads: readonly SnapshotAd[], origin: string): string {
  const sources = ads.flatMap(({ imageUrl }) => {
    if (imageUrl === null || !URL.canParse(imageUrl, origin)) return [];
    const url = new URL(imageUrl, origin);
    return [url.protocol === 'data:' ? 'data:' : url.origin];
  });
  return sources.length > 0 ? [...new Set(sources)].sort().join(' ') : "'none'";
}
