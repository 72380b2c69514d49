import { defineConfig } from 'tsup';

/** The modules for `import`. `tools/write-files.ts` builds the files that a page loads by script tag. */
export default defineConfig({
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
  // The contract is private: its types are written into the declarations.
  dts: { resolve: [/^@broadsheet\//, /^\.\//] },
  noExternal: ['@broadsheet/contract'],
});
