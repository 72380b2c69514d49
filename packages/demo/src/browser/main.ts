import { startAdDesk } from './ad-desk.ts';
import { startLoadMore } from './load-more.ts';
import { startSearchBox } from './search-box.ts';

startLoadMore();
startSearchBox();
startAdDesk();
