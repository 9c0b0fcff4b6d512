import {type CliIo, type ExitCode, exitCodes, print, printJson, printNotice, printStyled} from '#cli/io.ts';
import {messageRecords} from '#cli/verbs/records/messages.ts';
import {organizationRecords} from '#cli/verbs/records/organization.ts';
import {controlRecords, programRecords, screenRecords} from '#cli/verbs/records/program.ts';
import type {NameMatching} from '#state/selectors/names/find-by-name.ts';
import type {OptionTable, OptionValues, Verb} from './verb.ts';

/** Lists every verb. Parsing, `--help`, completions, the man page and the table in the manual are derived from it. */
export const verbTable = {
  ...screenRecords,
  ...messageRecords,
  ...organizationRecords,
  ...controlRecords,
  ...programRecords,
} as const satisfies Readonly<Record<string, Verb>>;

export type VerbName = keyof typeof verbTable;
export type SelfParsingVerbName = {
  [N in VerbName]: (typeof verbTable)[N] extends {readonly parsesOwnArguments: true} ? N : never;
}[VerbName];

const screenVerbs = ['open', 'triage', 'demo'] as const;
export type ScreenVerbName = (typeof screenVerbs)[number];

export function isScreenVerb(name: string): name is ScreenVerbName {
  return screenVerbs.some((verb) => verb === name);
}

/** The parsed arguments of a verb: its options by name, and the positional words. */
export interface VerbArguments<N extends VerbName> {
  readonly values: OptionValues<(typeof verbTable)[N]['options']>;
  readonly words: readonly string[];
  /** How channels, users and groups that the arguments name are looked up. */
  readonly matching: NameMatching;
}

export const verbNames = Object.keys(verbTable) as readonly VerbName[];

/** What the verbs are about whose first word alone is no verb, such as `channel create`. */
export const verbGroups: Readonly<Record<string, string>> = {
  ctl: 'control a running Parley, and read its state',
  channel: 'create, change, archive and list channels',
  user: 'show, change and deactivate users',
  group: 'create and change groups of users',
  linkifier: 'texts that become links in messages',
};

export function isVerbGroup(word: string): boolean {
  return Object.hasOwn(verbGroups, word);
}

/** Returns the first word of each verb, once. */
export function firstWords(): readonly string[] {
  return [...new Set(verbNames.map((name) => name.split(' ', 1)[0] ?? ''))];
}

/** Returns the verbs of two words that begin with this one. */
export function verbsBelow(word: string): readonly VerbName[] {
  return verbNames.filter((name) => name.startsWith(`${word} `));
}

/** Returns the second words that may follow this one. */
export function secondWords(word: string): readonly string[] {
  return verbsBelow(word).map((name) => name.slice(word.length + 1));
}

export function isVerbName(name: string): name is VerbName {
  return Object.hasOwn(verbTable, name);
}

/** Returns the record without its literal types, for code that treats all verbs alike. */
export function verbOf(name: VerbName): Verb & {readonly options: OptionTable} {
  return verbTable[name];
}

/** What a verb returns: a result to print, or the exit code if it has printed its result. Nothing means success. */
export type VerbOutcome = VerbResult | ExitCode | undefined;

/** The function of a verb. When `signal` aborts it, it throws the signal's reason. */
export type VerbRunner<N extends VerbName> = (
  verbArguments: VerbArguments<N>,
  io: CliIo,
  signal: AbortSignal,
) => Promise<VerbOutcome>;

/** The output of a verb. */
export interface VerbResult {
  /** Printed with `--json`. */
  readonly json: unknown;
  /** Printed otherwise; undefined prints nothing. */
  readonly text: string | undefined;
  /** Whether the text contains the colours of `outputStyle`. */
  readonly isStyled?: true;
  /** Printed on standard error after the result. */
  readonly notice?: string | undefined;
  readonly exitCode?: ExitCode;
}

/** Prints the result, if there is one, as JSON or as text, and returns the exit code. */
export function printResult(io: CliIo, values: object, outcome: VerbOutcome): ExitCode {
  if (typeof outcome !== 'object') return outcome ?? exitCodes.ok;
  const {json, text, isStyled, notice, exitCode = exitCodes.ok} = outcome;
  if ('json' in values && values.json === true) printJson(io, json);
  else if (text !== undefined && isStyled === true) void printStyled(io, text);
  else if (text !== undefined) print(io, text);
  if (notice !== undefined) printNotice(io, notice);
  return exitCode;
}
