import { http } from 'msw';
import { provideMsw } from './doors/find-msw.ts';

// Importing this module makes `mock.handlers()` work where modules cannot be loaded on demand.
provideMsw(http);

export type { HttpHandler } from 'msw';
