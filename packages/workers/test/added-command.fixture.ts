import { type CommandTable, command } from '@broadsheet/management';
import worker, { type Environment, BlogObject as Original } from '../src/index.ts';
import { DEPLOYMENT_COMMANDS } from '../src/management/commands.ts';
import { manageDeployment } from '../src/management/management.ts';

const commands: CommandTable = {
  ...DEPLOYMENT_COMMANDS,
  'readers.admit': command({
    effect: 'write',
    touches: ['keys'],
    args: {},
    async run({ store, blog, now }) {
      await store.addKey(blog, `reader of ${blog}`, now);
      return null;
    },
    log: () => 'admitted a reader',
  }),
  'shelf.burn': command({
    effect: 'write',
    touches: ['blog', 'keys'],
    transaction: 'own',
    args: {},
    run: async ({ store, blog }) => store.deleteBlog(blog),
    unlogged: 'run writes the log',
  }),
  'shelf.count': command({
    effect: 'read',
    on: 'server',
    perBlog: 'shelf.name',
    args: {},
    run: async () => [],
  }),
  'shelf.name': command({ effect: 'read', args: {}, run: async ({ blog }) => `shelf of ${blog}` }),
};

/** A blog that has more commands. */
export class BlogObject extends Original {
  protected override readonly commands = commands;
}

export default {
  fetch: (request: Request, environment: Environment): Promise<Response> =>
    new URL(request.url).pathname.startsWith('/manage')
      ? manageDeployment(request, environment, commands)
      : worker.fetch(request, environment),
};
