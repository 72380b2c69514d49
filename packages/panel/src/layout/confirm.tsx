import type { Child } from 'hono/jsx';
import type { Visit } from '../door/visit.ts';
import { Button, LinkButton } from './button.tsx';
import { Form } from './form.tsx';
import { Page } from './page.tsx';

interface ConfirmProps {
  visit: Visit;
  here: string;
  title: string;
  action: string;
  back: string;
  children?: Child;
}

/** Asks before something is destroyed, and names it; the form is sent to the address of this page. */
export function Confirm({ visit, here, title, action, back, children }: ConfirmProps) {
  return (
    <Page visit={visit} title={title} here={here}>
      <div class="narrow">
        <Form visit={visit} to={visit.url.pathname}>
          {children}
          <div class="actions">
            <Button kind="danger" name={action} />
            <LinkButton to={back} name="Cancel" />
          </div>
        </Form>
      </div>
    </Page>
  );
}
