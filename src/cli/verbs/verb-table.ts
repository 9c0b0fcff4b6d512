import {accountRecords} from './records/accounts.ts';
import {manualRecords} from './records/manual.ts';
import {messageRecords} from './records/messages.ts';
import {peopleRecords} from './records/people.ts';
import {screenRecords} from './records/screen.ts';
import type {CommonOptions, OptionTable, OptionValues, Verb} from './verb.ts';

/** Lists every verb. Parsing, `--help`, completions, the man page and the table in the manual are derived from it. */
export const verbTable = {
  ...screenRecords,
  ...messageRecords,
  ...peopleRecords,
  ...accountRecords,
  ...manualRecords,
} as const satisfies Readonly<Record<string, Verb>>;

export type VerbName = keyof typeof verbTable;
export type SelfParsingVerbName = {
  [N in VerbName]: (typeof verbTable)[N] extends {readonly parsesOwnArguments: true} ? N : never;
}[VerbName];

/** The verbs that open the screen. */
export const screenVerbs = ['open', 'triage', 'demo'] as const;
export type ScreenVerbName = (typeof screenVerbs)[number];

export function isScreenVerb(name: string): name is ScreenVerbName {
  return screenVerbs.some((verb) => verb === name);
}

/** The parsed arguments of a verb: its options by name, and the positional words. */
export interface VerbArguments<N extends VerbName> {
  readonly values: OptionValues<(typeof verbTable)[N]['options']>;
  readonly words: readonly string[];
}

/** The options that select an account. */
export type AccountOptions = Pick<CommonOptions, 'account' | 'config'>;

export const verbNames = Object.keys(verbTable) as readonly VerbName[];

export function isVerbName(name: string): name is VerbName {
  return Object.hasOwn(verbTable, name);
}

/** Returns the record without its literal types, for code that treats all verbs alike. */
export function verbOf(name: VerbName): Verb & {readonly options: OptionTable} {
  return verbTable[name];
}
