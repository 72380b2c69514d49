import { createClient } from '@broadsheet/sdk';

// Every visitor can read both; `browser` confirms that this is intended. Vite reads them from .env.
const { VITE_BLOG_URL: baseUrl, VITE_BLOG_KEY: apiKey } = import.meta.env;

export const blog = createClient({ baseUrl, apiKey, browser: true });
