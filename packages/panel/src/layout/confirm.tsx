import type { Child } from 'hono/jsx';
import type { Visit } from '../door/visit.ts';
import { Button, type ButtonKind } from './button.tsx';
import { Form } from './form.tsx';

interface ConfirmButtonProps {
  visit: Visit;
  to: string;
  name: string;
  about?: string;
  kind?: ButtonKind;
  title: string;
  action: string;
  children?: Child;
}

/** A button that asks for confirmation and names what it destroys, in a popover, which needs no script. */
export function ConfirmButton({ visit, to, title, action, children, ...button }: ConfirmButtonProps) {
  return (
    <>
      <Button kind="danger" {...button} type="button" popovertarget={to} />
      <div popover="auto" id={to} role="dialog" aria-label={title}>
        <Form visit={visit} to={to}>
          <h2>{title}</h2>
          {children}
          <div class="actions">
            <Button kind="danger" name={action} />
            <Button name="Cancel" type="button" popovertarget={to} popovertargetaction="hide" autofocus />
          </div>
        </Form>
      </div>
    </>
  );
}
