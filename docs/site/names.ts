import { join } from 'node:path';
import { type Application, type Comment, Converter, PageEvent, ReflectionKind, Application as TypeDoc } from 'typedoc';
import { COMPOSED } from './compose.ts';
import { root } from './pages.ts';
import { sectionAnchors } from './sections.ts';

const anchors = sectionAnchors();

/** Writes a page for everything the four packages export; a name that is not documented, or a broken link, is an error. */
export async function writeNames(): Promise<void> {
  const out = join(COMPOSED, 'names');
  const app = await TypeDoc.bootstrapWithPlugins({
    name: 'Every exported name',
    entryPointStrategy: 'packages',
    entryPoints: ['sdk', 'ad-widget', 'mock-server', 'server'].map((name) => join(root, 'packages', name)),
    packageOptions: {
      entryPoints: ['src/index.ts'],
      readme: 'none',
      disableGit: true,
      disableSources: true,
      excludeInternal: true,
      validation: { invalidLink: true, notExported: false },
    },
    plugin: ['typedoc-plugin-markdown', 'typedoc-vitepress-theme', linkSections, spellAnchors],
    readme: 'none',
    treatWarningsAsErrors: true,
    disableSources: true,
    logLevel: 'Warn',
    // Options of the two plugins.
    ...{
      out,
      docsRoot: COMPOSED,
      entryFileName: 'index',
      outputFileStrategy: 'modules',
      hidePageHeader: true,
      hideBreadcrumbs: true,
      useCodeBlocks: true,
      // Its heading anchors are numbered differently from the anchors of the site.
      useHTMLAnchors: true,
      sidebar: { pretty: false, autoConfiguration: true },
    },
  });
  const project = await app.convert();
  if (!project) throw new Error('TypeDoc could not read the packages; what is wrong is above');
  app.validate(project);
  await app.generateOutputs(project);
  if (app.logger.hasErrors() || app.logger.hasWarnings()) throw new Error('TypeDoc has warnings; they are above');
}

/** The theme replaces `_` with `-` in links, but not in the anchors they link to. */
function spellAnchors(app: Application): void {
  app.renderer.on(PageEvent.END, (page) => {
    if (page.contents === undefined) return;
    page.contents = page.contents.replaceAll(/^<a id=".*"><\/a>$/gm, (anchor) => anchor.replaceAll('_', '-'));
  });
}

/** Turns each "api.md 4.5" in a comment into a link. */
function linkSections(app: Application): void {
  app.converter.on(Converter.EVENT_RESOLVE_END, ({ project }) => {
    for (const reflection of project.getReflectionsByKind(ReflectionKind.All)) {
      if (reflection.comment) linkIn(reflection.comment);
    }
  });
}

function linkIn({ summary, blockTags }: Comment): void {
  for (const part of [summary, ...blockTags.map(({ content }) => content)].flat()) {
    if (part.kind !== 'text') continue;
    part.text = part.text.replaceAll(/\bapi\.md (\d(?:\.\d)?)\b/g, (words, section: string) => {
      const anchor = anchors.get(section);
      if (!anchor) throw new Error(`a comment names ${words}, which docs/api.md does not have`);
      return `[${words}](/api#${anchor})`;
    });
  }
}
