import { StoreUnavailable } from '@broadsheet/core';
import { copyDatabase, DatabaseNotEmpty, Refusal } from '@broadsheet/store';
import { openDatabase } from '../database/database.ts';
import { unusable } from '../database/unusable.ts';
import { print, printJson } from '../program/output.ts';
import { createProgress } from '../program/progress.ts';
import { readDatabase, withoutPassword } from '../settings/database-url.ts';

/** `broadsheet copy FROM TO` */
export async function copy(from: string, to: string, flags: { readonly json?: boolean }): Promise<void> {
  const problems: string[] = [];
  const [source, target] = [readDatabase(from, {}, problems, 'FROM'), readDatabase(to, {}, problems, 'TO')];
  if (source === target) problems.push('FROM and TO are the same database; name another');
  if (problems.length > 0) throw new Refusal(problems);
  // Tried one by one, so that what fails is said of the one that fails.
  await (await openDatabase(source, { create: false })).close();
  await (await openDatabase(target, { create: true })).close();
  const progress = createProgress('copying', 'posts');
  try {
    const copied = await copyDatabase(source, target, { onProgress: progress.update });
    progress.stop();
    if (flags.json) printJson(copied);
    else print(describe(copied, target));
  } catch (error) {
    if (error instanceof DatabaseNotEmpty) throw new Refusal(`${withoutPassword(target)}: ${error.message}`);
    throw error instanceof StoreUnavailable ? unusable(target, error) : error;
  } finally {
    progress.stop();
  }
}

function describe(copied: Awaited<ReturnType<typeof copyDatabase>>, target: string): string {
  const rows = Object.entries(copied).filter(([, count]) => count > 0);
  const all = rows.map(([table, count]) => `  ${table.replaceAll('_', ' ')}: ${count}`);
  return `Copied into ${withoutPassword(target)}, as it was when the copy began:\n${all.join('\n')}`;
}
