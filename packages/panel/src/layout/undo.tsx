/** @jsxImportSource hono/jsx */
import type { BinKey } from '@broadsheet/store';
import { type BlogVisit, panelPath } from '../door/visit.ts';
import { Form } from './form.tsx';
import { Page } from './page.tsx';

/** Says that something was deleted, and restores it if that was a mistake. */
export function Undo({
  visit,
  here,
  what,
  deleted,
  back,
}: {
  visit: BlogVisit;
  here: string;
  what: string;
  deleted: BinKey;
  back: string;
}) {
  return (
    <Page visit={visit} title="Deleted" here={here}>
      <div class="narrow">
        <p role="status">{what} was deleted. It stays in the recycle bin for 30 days.</p>
        <div class="actions">
          <RestoreForm visit={visit} deleted={deleted} back={back} />
          <a class="button first" href={back}>
            Continue
          </a>
        </div>
      </div>
    </Page>
  );
}

/** Restores something from the recycle bin. */
export function RestoreForm({ visit, deleted, back }: { visit: BlogVisit; deleted: BinKey; back: string }) {
  return (
    <Form visit={visit} to={panelPath(visit.blog.id, 'bin')}>
      <input type="hidden" name="kind" value={deleted.kind} />
      <input type="hidden" name="id" value={deleted.id} />
      <input type="hidden" name="deletedAt" value={deleted.deletedAt} />
      <input type="hidden" name="back" value={back} />
      <button class="button" type="submit">
        Restore
      </button>
    </Form>
  );
}
