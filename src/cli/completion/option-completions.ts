import type {CompletionSource, Option} from '#cli/verbs/verb.ts';

/** What a shell offers after an option; undefined when the option takes no value, `[]` when nobody can know it. */
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

export function optionSpellings(key: string, {short}: Option): string[] {
  return short === undefined ? [`--${key}`] : [`--${key}`, `-${short}`];
}

/** One word of a shell, whatever is in it. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Where the named accounts are, without starting Parley: that would take longer than typing on. */
export const accountsDirectory = `"\${XDG_CONFIG_HOME:-$HOME/.config}/parley/accounts"`;
