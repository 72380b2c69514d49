import { dirname, join } from 'node:path';
import { transformerTwoslash } from '@shikijs/vitepress-twoslash';
import ts from 'typescript';
import { samplePaths } from './doors.ts';
import { root } from './pages.ts';

/** Compiles the TypeScript of a page and shows the type of a name under the pointer. */
export function typesOnHover(): ReturnType<typeof transformerTwoslash> {
  return transformerTwoslash({
    explicitTrigger: true,
    // A sample that does not compile ends the build.
    onTwoslashError(error, code) {
      throw new Error(`A sample does not compile: ${error instanceof Error ? error.message : error}\n${code}`);
    },
    twoslashOptions: {
      vfsRoot: join(root, 'packages/mock-server'),
      // The compiler is installed under another name, without its libraries.
      tsLibDirectory: dirname(ts.getDefaultLibFilePath({})),
      compilerOptions: {
        lib: ['lib.es2024.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.esnext.disposable.d.ts'],
        target: ts.ScriptTarget.ES2022,
        module: ts.ModuleKind.ESNext,
        moduleResolution: ts.ModuleResolutionKind.Bundler,
        moduleDetection: ts.ModuleDetectionKind.Force,
        customConditions: ['@broadsheet/source'],
        types: ['node'],
        typeRoots: [join(root, 'node_modules/@types')],
        jsx: ts.JsxEmit.ReactJSX,
        strict: true,
        noUncheckedIndexedAccess: true,
        exactOptionalPropertyTypes: true,
        allowImportingTsExtensions: true,
        noEmit: true,
        skipLibCheck: true,
        paths: samplePaths(),
      },
    },
  });
}
