/** @jsxImportSource hono/jsx */
import { type BlogVisit, panelPath } from '../door/visit.ts';
import { Form } from './form.tsx';
import { Page } from './page.tsx';

/** Says that something is gone, and brings it back if that was a mistake. */
export function Undo({
  visit,
  here,
  what,
  snapshot,
  back,
}: {
  visit: BlogVisit;
  here: string;
  what: string;
  snapshot: unknown;
  back: string;
}) {
  return (
    <Page visit={visit} title="Deleted" here={here}>
      <div class="narrow">
        <p role="status">{what} is gone.</p>
        <Form visit={visit} to={panelPath(visit.blog.id, 'restore')}>
          <input type="hidden" name="snapshot" value={JSON.stringify(snapshot)} />
          <input type="hidden" name="back" value={back} />
          <div class="actions">
            <button class="button" type="submit">
              Bring it back
            </button>
            <a class="button first" href={back}>
              Go on
            </a>
          </div>
        </Form>
      </div>
    </Page>
  );
}
