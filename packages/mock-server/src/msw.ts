import { HttpResponse, http } from 'msw';
import { provideMsw } from './doors/msw.ts';

// Importing this module makes `mock.handlers()` work where modules cannot be loaded on demand.
provideMsw({ http, HttpResponse });

export type { HttpHandler } from 'msw';
