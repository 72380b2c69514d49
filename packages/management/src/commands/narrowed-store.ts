import type { ImportOptions, OperatorStore } from '@broadsheet/store';
import type { Actor, Touch } from './command.ts';
import { mayTouch, requireImportTouches, requireTouches, TOUCHES_OF_PRUNE } from './effects.ts';

/** The effects of a method; none if it only reads. */
type Effects<Args extends readonly unknown[]> = readonly Touch[] | ((...args: Args) => readonly Touch[]);

type Methods = {
  readonly [Name in keyof OperatorStore]-?: OperatorStore[Name] extends (...args: infer Args) => unknown
    ? Effects<Args>
    : never;
};

const READS = [] as const;
const PEOPLE = ['people'] as const;

const touchesOfRun = ({ prune = false }: ImportOptions): readonly Touch[] => (prune ? TOUCHES_OF_PRUNE : []);

/** What each method of the store changes. A method that is not listed here does not compile. */
const METHODS = {
  ...{ exportBlog: READS, exportInParts: READS, hasBlog: READS, lockBlog: READS, listBlogs: READS },
  ...{ figures: READS, readHours: READS, readPlans: READS },
  ...{ getAnyPost: READS, listAllPosts: READS, listBin: READS },
  ...{ listAllAds: READS, listLeftAds: READS, listCampaigns: READS, listDeletedCampaigns: READS },
  ...{ listReportLinks: READS, findReport: READS, listKeys: READS, missingImages: READS, findImage: READS },
  ...{ listHooks: READS, listHookMessages: READS, isSendingHooks: READS },
  ...{ hasPeople: READS, listPeople: READS, findInvitation: READS, findSession: READS, readLog: READS },
  ...{ hasTokens: READS, listTokens: READS, findToken: READS },
  ...{ missingParts: READS, keysOfParts: READS, kindsOfParts: READS, readUpload: READS },
  // The number of a request, its result and an entry of the log are no effects of their own.
  ...{ findReceipt: READS, claimRequest: READS, keepResult: READS, writeLog: READS },
  ...{ createBlog: ['blog'], deleteBlog: ['blog'] },
  ...{ renameBlog: ['settings'], setDomains: ['settings'], setPublisher: ['settings'], setTimeZone: ['settings'] },
  ...{ addKey: ['keys'], rotateKey: ['keys'], revokeKeys: ['keys'] },
  ...{ publishPost: ['posts'], unpublishPost: ['posts'], deletePost: ['posts'], createPreviewToken: ['previews'] },
  ...{ putAd: ['ads'], setAdActive: ['ads'], deleteAd: ['ads'] },
  ...{ putCampaign: ['campaigns'], deleteCampaign: ['campaigns', 'ads', 'report links'] },
  ...{ addReportLink: ['report links'], revokeReportLink: ['report links'] },
  restoreFromBin: (_, { kind }) => (kind === 'post' ? ['posts', 'labels'] : ['ads', 'campaigns']),
  ...{ putImage: ['images'], pruneImages: ['images'] },
  // It changes only what the actor may change; see `narrowedStore`.
  moveMedia: READS,
  ...{ addHook: ['hooks'], deleteHook: ['hooks'], rotateHook: ['hooks'], testHook: ['hooks'] },
  sendHookMessage: ['hooks'],
  ...{ addImportPart: ['uploads'], saveUpload: ['uploads'] },
  importParts: (...[, , , options]) => touchesOfRun(options),
  importBlogs: (...[, , options = {}]) => touchesOfRun(options),
  ...{ invitePerson: PEOPLE, revokePerson: PEOPLE, signIn: PEOPLE, endSession: PEOPLE },
  ...{ createToken: ['tokens'], revokeToken: ['tokens'] },
} as const satisfies Methods;

/**
 * The store of a command, which changes only what its actor may change: a row cannot write more than its token permits.
 *
 * @param onWrite called before a change
 */
export function narrowedStore<Store extends OperatorStore>(store: Store, actor: Actor, onWrite = () => {}): Store {
  const narrowed: Partial<OperatorStore> = {
    importParts: (blogId, parts, now, options) => store.importParts(blogId, parts, now, permitted(actor, options)),
    importBlogs: (blogs, now, options = {}) => store.importBlogs(blogs, now, permitted(actor, options)),
    moveMedia(blogId, from, to, kinds = ['post', 'ad']) {
      const own = kinds.filter((kind) => mayTouch(actor, `${kind}s`));
      onWrite();
      return store.moveMedia(blogId, from, to, own);
    },
  };
  return new Proxy(store, {
    get(target, name: keyof OperatorStore) {
      const method: unknown = narrowed[name] ?? target[name];
      const effects: Effects<never[]> | undefined = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
      if (typeof method !== 'function' || effects === undefined) return method;
      return (...args: never[]) => {
        const touches = typeof effects === 'function' ? effects(...args) : effects;
        requireTouches(actor, touches, `a change of the ${touches.join(', ')}`);
        if (touches.length > 0) onWrite();
        return method.apply(target, args);
      };
    },
  });
}

/** The options of an import that is rolled back if the actor may not make its changes. */
const permitted = (actor: Actor, options: ImportOptions): ImportOptions => ({
  ...options,
  entries(imported) {
    requireImportTouches(actor, imported);
    return options.entries?.(imported) ?? [];
  },
});
