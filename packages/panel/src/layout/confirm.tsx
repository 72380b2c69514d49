/** @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx';
import type { Visit } from '../door/visit.ts';
import { Form } from './form.tsx';
import { Page } from './page.tsx';

/** Asks before something is destroyed, and names it. */
export function Confirm({
  visit,
  here,
  title,
  to,
  action,
  back,
  children,
}: {
  visit: Visit;
  here: string;
  title: string;
  to: string;
  action: string;
  back: string;
  children?: Child;
}) {
  return (
    <Page visit={visit} title={title} here={here}>
      <div class="narrow">
        <Form visit={visit} to={to}>
          {children}
          <div class="actions">
            <button class="button danger" type="submit">
              {action}
            </button>
            <a class="button" href={back}>
              Leave it
            </a>
          </div>
        </Form>
      </div>
    </Page>
  );
}
