import type { NextConfig } from 'next';

const config: NextConfig = {
  cacheComponents: true,
  // With it, Next sends part of the page, and so the status 200, before it knows whether a post exists.
  partialPrefetching: false,
};

export default config;
