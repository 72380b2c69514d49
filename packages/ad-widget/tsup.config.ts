import { defineConfig } from 'tsup';

/** The modules for `import`. What a page loads by script tag is made by `tools/write-script.ts`. */
export default defineConfig({
  entry: {
    index: 'src/index.ts',
    rehearsal: 'src/rehearsal.ts',
    overlay: 'src/overlay.ts',
    check: 'src/check.ts',
    server: 'src/server.ts',
    react: 'src/react.ts',
    vue: 'src/vue.ts',
  },
  external: ['react', 'vue'],
  format: 'esm',
  target: 'es2022',
  splitting: true,
  dts: true,
  noExternal: ['@broadsheet/contract'],
});
