import { defineConfig, type Options } from 'tsup';
import { writeDeclarations } from '../../tools/declarations.ts';

/** The modules for `import`. `tools/write-files.ts` builds the files that a page loads by script tag. */
const modules = {
  entry: {
    index: 'src/index.ts',
    rehearsal: 'src/delivery/rehearsal.ts',
    overlay: 'src/advice/overlay.ts',
    check: 'src/check/check.ts',
    server: 'src/frameworks/server.ts',
    react: 'src/frameworks/react.ts',
    vue: 'src/frameworks/vue.ts',
    formats: 'src/slots/formats.ts',
    files: 'tools/published-files.ts',
  },
  external: ['react', 'vue'],
  format: 'esm',
  target: 'es2022',
  splitting: true,
  noExternal: ['@broadsheet/contract'],
} satisfies Options;

export default defineConfig({ ...modules, onSuccess: () => writeDeclarations(modules.entry) });
