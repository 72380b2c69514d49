import { startAdDesk } from './ad-desk.ts';
import { today } from './dateline.ts';
import { shell } from './element.ts';
import { startRouter } from './router.ts';
import { startSearchBox } from './search-box.ts';
import { startSectionBar } from './section-bar.ts';

shell('#today').textContent = today();
// Before the router, whose first page notifies both.
void startSectionBar();
const router = startRouter(shell('#page'));
startSearchBox(router);
startAdDesk();
