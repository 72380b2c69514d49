import { createClient } from '@broadsheet/sdk';

// Both are read by every visitor, which `browser` says is meant. Vite takes them from .env.
const { VITE_BLOG_URL: baseUrl, VITE_BLOG_KEY: apiKey } = import.meta.env;

export const blog = createClient({ baseUrl, apiKey, browser: true });
