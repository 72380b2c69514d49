// Reports the required version of Node before a script fails with a syntax error in an older one.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  const script = process.env.npm_lifecycle_event?.replace(/^pre/, '') ?? 'start';
  console.error(
    `Broadsheet needs Node 22.18 or newer; this is ${process.versions.node}. Without installing anything:\n\n    npx -y -p node@24 -p pnpm@12 -- pnpm ${script}\n`,
  );
  process.exit(1);
}
