// Makes the token of management for this machine, which `wrangler dev` reads; a deployment has a secret of its own.
import { randomBytes } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';

const file = new URL('.dev.vars', import.meta.url);
if (!existsSync(file)) writeFileSync(file, `ADMIN_TOKEN=${randomBytes(32).toString('hex')}\n`, { mode: 0o600 });
