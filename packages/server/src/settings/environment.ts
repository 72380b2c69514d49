import { readFileSync } from 'node:fs';
import { OperationError } from '@broadsheet/management';

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that hold secrets. Each may be in a file instead, which a variable with `_FILE` names. */
const SECRETS = ['DATABASE_URL', 'BROADSHEET_SECRET', 'BROADSHEET_ADMIN_TOKEN'] as const;

/**
 * The environment with the secrets that are in files, as container platforms provide them.
 *
 * @throws OperationError when a file cannot be read, or when a secret is given twice
 */
export function readEnvironment(env: Environment = process.env): Environment {
  const read = SECRETS.filter((name) => env[`${name}_FILE`]).map((name) => [name, readSecret(name, env)] as const);
  return { ...env, ...Object.fromEntries(read) };
}

function readSecret(name: string, env: Environment): string {
  const variable = `${name}_FILE`;
  if (env[name]) throw new OperationError(`${variable}: ${name} is set, too; set only one of them`);
  try {
    // Editors end a file with a line break.
    return readFileSync(env[variable] ?? '', 'utf8').trim();
  } catch (error) {
    throw new OperationError(`${variable}: cannot read ${env[variable]}: ${(error as Error).message}`);
  }
}
