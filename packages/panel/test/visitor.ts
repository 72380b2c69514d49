import type { Person } from '@broadsheet/store';
import type { BrowserContextOptions, Page } from 'playwright';
import { type ChromiumStage, recordConsole } from '../../../tools/testing/stage.ts';
import type { PanelServer } from './panel-server.ts';

/** The page of a signed-in person, with the errors and warnings of its console. */
export interface Visitor {
  readonly page: Page;
  readonly complaints: string[];
}

export async function visit(
  stage: ChromiumStage,
  panel: PanelServer,
  person: Person,
  options: BrowserContextOptions = {},
): Promise<Visitor> {
  const page = await stage.newPage({ viewport: { width: 1280, height: 900 }, ...options });
  const complaints = recordConsole(page);
  await page.context().addCookies([
    {
      name: 'broadsheet-panel',
      value: await panel.session(person),
      url: `${panel.url}/panel`,
      httpOnly: true,
      sameSite: 'Strict',
    },
  ]);
  return { page, complaints };
}
