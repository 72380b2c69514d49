import { choice, list, type Rule, record } from '@broadsheet/contract';
import {
  asGiven,
  COMMANDS,
  type Command,
  type CommandTable,
  command,
  internal,
  OperationError,
  TOUCHABLE,
} from '@broadsheet/management';
import { COPIED_TABLES, type CopyTable, isBase64, type Row } from '@broadsheet/store';
import type { DurableStore } from '../durable/open-durable-store.ts';

const TABLE = internal(choice<CopyTable>(COPIED_TABLES));
const FROM: Rule<number> = { kind: 'integer', min: 0 };
const rows = asGiven(list(record({})) as Rule<unknown, Row[]>);
/** The maximum number of bytes of the rows in a request. */
const ROWS_BYTES = 4_000_000;

// The store of an object is one of these.
const copyOf = ({ store }: { readonly store: object }) => (store as DurableStore).copy;
/** Only the secret of the deployment permits a copy. */
const step = { on: 'blog or server', scopes: 'operator', args: {} } as const;
/** A step that changes only what nobody sees before the last step. */
const UNSEEN = { effect: 'write', touches: ['uploads'], transaction: 'own', unlogged: 'nobody sees it yet' } as const;

const copy = {
  'copy.begin': command({ ...step, ...UNSEEN, run: (context) => copyOf(context).begin() }),
  'copy.read': command({
    ...step,
    effect: 'read',
    args: { table: TABLE, from: internal(FROM) },
    run: (context, { table, from }) => copyOf(context).read(table, from),
  }),
  'copy.end': command({ ...step, ...UNSEEN, run: (context) => copyOf(context).end() }),
  'copy.clear': command({ ...step, ...UNSEEN, touches: TOUCHABLE, run: (context) => copyOf(context).clear() }),
  'copy.write': command({
    ...step,
    ...UNSEEN,
    args: { table: TABLE, rows },
    bodyBytes: ROWS_BYTES,
    run(context, { table, rows: given }) {
      const wrong = given.findIndex(
        ({ bytes }) => bytes !== undefined && !(typeof bytes === 'string' && isBase64(bytes)),
      );
      if (wrong !== -1) throw new OperationError([{ at: `rows.${wrong}.bytes`, message: 'expected base64' }]);
      return copyOf(context).write(table, given);
    },
  }),
  /** After the last row: the object then handles requests for its blog. */
  'copy.finish': command({ ...step, ...UNSEEN, touches: TOUCHABLE, run: async () => undefined }),
};

/** The names of the steps of a copy. */
export type CopyStep = keyof typeof copy;

/** The commands of a deployment, which has no pages for people. */
export const DEPLOYMENT_COMMANDS: CommandTable = {
  ...Object.fromEntries(Object.entries<Command>(COMMANDS).filter(([, { needsPages = false }]) => !needsPages)),
  ...copy,
};
