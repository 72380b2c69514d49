import { createClient } from '@broadsheet/sdk';
import { shell } from './element.ts';

const { apiKey = '' } = shell('script[data-api-key]').dataset;

/** The blog this site shows, by the SDK: the same address and key that the widget's script tag carries. */
export const blog = createClient({
  baseUrl: location.origin,
  apiKey,
  browser: true,
  // The demo may be opened from a phone in the same network, where there is no TLS.
  allowInsecureHttp: true,
});

/** What the blog is called. */
export const blogName = shell('meta[name="application-name"]').getAttribute('content') ?? 'Broadsheet';
