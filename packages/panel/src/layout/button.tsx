export type ButtonKind = 'first' | 'danger' | 'small' | 'small danger';

interface ButtonProps {
  name: string;
  /** What the button acts on, for screen readers. */
  about?: string | undefined;
  kind?: ButtonKind;
  [attribute: string]: unknown;
}

/** A button that submits its form. */
export function Button({ name, about, kind, ...attributes }: ButtonProps) {
  return (
    <button class={classOf(kind)} type="submit" {...attributes}>
      {name}
      {about !== undefined && <span class="unseen"> {about}</span>}
    </button>
  );
}

/** A link that looks like a button. */
export function LinkButton({ to, name, about, kind, ...attributes }: ButtonProps & { to: string }) {
  return (
    <a class={classOf(kind)} href={to} {...attributes}>
      {name}
      {about !== undefined && <span class="unseen"> {about}</span>}
    </a>
  );
}

const classOf = (kind: ButtonKind | undefined): string => (kind ? `button ${kind}` : 'button');
