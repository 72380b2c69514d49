import type { NextConfig } from 'next';

const config: NextConfig = {
  cacheComponents: true,
  // With it, Next sends a part of the page, and with that the status 200, before it knows whether a post exists.
  partialPrefetching: false,
};

export default config;
