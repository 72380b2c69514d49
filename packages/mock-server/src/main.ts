#!/usr/bin/env node
import { program } from './cli/program.ts';

try {
  await program().parseAsync();
} catch (error) {
  console.error(`broadsheet-mock: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
