// Creates the admin token that `wrangler dev` reads on this machine; a deployment has its own secret.
import { randomBytes } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';

const file = new URL('.dev.vars', import.meta.url);
if (!existsSync(file)) writeFileSync(file, `ADMIN_TOKEN=${randomBytes(32).toString('hex')}\n`, { mode: 0o600 });
