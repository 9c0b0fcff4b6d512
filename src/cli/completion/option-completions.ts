import type {CompletionSource, Option} from '#cli/verbs/verb.ts';
import {firstWords, isVerbGroup, secondWords, type VerbName, verbNames, verbOf} from '#cli/verbs/verb-table.ts';

/**
 * Returns what a shell offers after an option: undefined when it takes no value, `[]` when there are no suggestions.
 */
export function completionSource(option: Option): CompletionSource | undefined {
  switch (option.type) {
    case 'flag':
      return undefined;
    case 'choice':
      return option.choices;
    case 'number':
      return [];
    case 'text':
      return option.completes ?? [];
  }
}

/** Returns what a shell offers for the arguments of a verb: its second words, and what its record says. */
export function argumentCompletions(name: VerbName): CompletionSource {
  const {completes = []} = verbOf(name).arguments;
  return typeof completes === 'string' ? completes : [...secondWords(name), ...completes];
}

/** Returns the names of the verbs of two words, each quoted. */
export function twoWordNames(quoted: (name: string) => string): readonly string[] {
  return verbNames.filter((name) => name.includes(' ')).map(quoted);
}

/** Returns the words that are no verbs without a second word. */
export function groupWords(): readonly string[] {
  return firstWords().filter(isVerbGroup);
}

export function optionSpellings(key: string, {short}: Option): string[] {
  return short === undefined ? [`--${key}`] : [`--${key}`, `-${short}`];
}

/** Quotes the text as one word of a POSIX shell. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The folder of the named accounts, as shell code: starting Parley to list them would be slower than typing. */
export const accountsDirectory = `"\${XDG_CONFIG_HOME:-$HOME/.config}/parley/accounts"`;
