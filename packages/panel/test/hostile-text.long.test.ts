import { afterAll, beforeAll, it } from 'vitest';
import { temporaryFolder } from '../../../tools/testing/folder.ts';
import { describeInChromium } from '../../../tools/testing/stage.ts';
import { HOSTILE_ADDRESSES, HOSTILE_WORDS } from '../../ad-widget/test/hostile.ts';
import { staysText } from './hostile-text.suite.ts';
import { type PanelServer, startPanel } from './panel-server.ts';

describeInChromium('each hostile text alone', (stage) => {
  const folder = temporaryFolder();
  let panel: PanelServer;
  beforeAll(async () => {
    panel = await startPanel(`sqlite:${folder.join('panel.db')}`);
  });
  afterAll(() => panel?.close());

  it.each([...HOSTILE_WORDS, ...HOSTILE_ADDRESSES.filter((address) => address.trim())])(
    '%j stays a text',
    { timeout: 120_000 },
    (words) => staysText(stage, panel, words),
  );
});
