'use client';

import type { AdDeliveryResult, AdFormat } from '@broadsheet/sdk';
import { useEffect, useState } from 'react';

/** An ad in markup of your own, delivered by the route handler of this site: the browser never sees a key. */
export function OwnAd({ format }: { format: AdFormat }) {
  const [ad, setAd] = useState<AdDeliveryResult>();
  useEffect(() => {
    const controller = new AbortController();
    fetch(`/api/ad?format=${format}`, { signal: controller.signal })
      .then((response) => response.json())
      .then(setAd)
      .catch(() => {}); // without an ad, the page still works
    return () => controller.abort();
  }, [format]);
  if (!ad?.filled || !/^https?:/.test(ad.linkUrl ?? '')) return null;
  const click = () =>
    void fetch('/api/ad', { method: 'POST', body: JSON.stringify({ token: ad.clickToken }), keepalive: true });
  return (
    <aside aria-label="Advertisement">
      <a href={ad.linkUrl ?? ''} rel="sponsored noopener" onClick={click}>
        {ad.imageUrl && <img src={ad.imageUrl} alt={ad.title ? '' : 'Advertisement'} />}
        <strong>{ad.title}</strong> {ad.content} <em>{ad.linkText}</em>
      </a>
    </aside>
  );
}
