import node from '@astrojs/node';
import { defineConfig } from 'astro/config';

// Every page is built in advance, except for those with `prerender = false`.
export default defineConfig({ adapter: node({ mode: 'standalone' }) });
