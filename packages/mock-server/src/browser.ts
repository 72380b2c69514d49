import { http } from 'msw';
import { provideMsw } from './doors/msw-library.ts';

provideMsw(http);

export * from './index.ts';
