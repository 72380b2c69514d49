import { AdSlot } from '@broadsheet/ad-widget/react';
import { deliveredMarkup } from '@broadsheet/ad-widget/server';
import type { AdFormat } from '@broadsheet/sdk';
import { headers } from 'next/headers';
import { blog } from './blog';

const { BROADSHEET_BASE_URL: url, BROADSHEET_WIDGET_KEY: key } = process.env;

/** The widget, once in the layout. Every reader can see its key. */
export const AdWidget = () => (
  <>
    <link rel="stylesheet" href={`${url}/broadsheet.css`} precedence="default" />
    <script async src={`${url}/broadsheet.js`} data-base-url={url} data-api-key={key} />
  </>
);

/** An ad that this server requests for the reader, and sends with the page. The widget shows it and reports its click. */
export async function DeliveredAd({ name, format }: { name: string; format: AdFormat }) {
  const visitor = { headers: await headers() };
  const { data } = await blog.ads.deliverBatch([{ slotId: name, format }], { visitor, timeout: 1_000 }).safe();
  return (
    <>
      <div hidden dangerouslySetInnerHTML={{ __html: deliveredMarkup(data ?? []) }} />
      <AdSlot name={name} format={format} />
    </>
  );
}
