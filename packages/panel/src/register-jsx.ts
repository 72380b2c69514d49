import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

let registered: Promise<void> | undefined;

/** Lets Node load this package's `.tsx` files from source: it strips types, and does not support JSX. */
export function registerJsx(): Promise<void> {
  registered ??= import('esbuild').then(({ transformSync }) => {
    registerHooks({
      load(url, context, nextLoad) {
        if (!url.endsWith('.tsx')) return nextLoad(url, context);
        const { code } = transformSync(readFileSync(fileURLToPath(url), 'utf8'), {
          loader: 'tsx',
          jsx: 'automatic',
          jsxImportSource: 'hono/jsx',
          sourcefile: url,
          sourcemap: 'inline',
        });
        return { format: 'module', source: code, shortCircuit: true };
      },
    });
  });
  return registered;
}
