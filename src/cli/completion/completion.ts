import {exitCodes, UsageError} from '#cli/failures.ts';
import {write} from '#cli/io.ts';
import type {VerbRunner} from '#cli/verbs/verb-runner.ts';
import {ownValue} from '#std/own-value.ts';

const scripts: Readonly<Record<string, () => Promise<string>>> = {
  bash: async () => (await import('./bash.ts')).bashCompletion(),
  zsh: async () => (await import('./zsh.ts')).zshCompletion(),
  fish: async () => (await import('./fish.ts')).fishCompletion(),
};

export const completion: VerbRunner<'completion'> = async ({words: [shell = '']}, io) => {
  const script = ownValue(scripts, shell);
  if (script === undefined) throw new UsageError(`There is no script for “${shell}”. Use bash, zsh or fish.`);
  write(io, await script());
  return exitCodes.ok;
};
