/** An option of a verb: a flag, a text, a number, or one of several words. */
export type Option = FlagOption | TextOption | NumberOption | ChoiceOption;

interface OptionDescription {
  readonly summary: string;
  /** Whether it makes a verb that otherwise only reads change something, so that names must be whole. */
  readonly changes?: true;
  readonly short?: string;
}
interface FlagOption extends OptionDescription {
  readonly type: 'flag';
  /** Whether a text may follow after an equals sign. Without it the value is empty. */
  readonly takesValue?: true;
}
interface TextOption extends OptionDescription {
  readonly type: 'text';
  /** The placeholder for the value in the help. */
  readonly value: string;
  readonly many?: boolean;
  /** Whether the value may start with a dash, as Markdown lists do. */
  readonly verbatim?: boolean;
  readonly completes?: CompletionSource;
}
interface NumberOption extends OptionDescription {
  readonly type: 'number';
  readonly value: string;
  readonly min: number;
  readonly max: number;
}
interface ChoiceOption<T extends string = string> extends OptionDescription {
  readonly type: 'choice';
  readonly choices: readonly T[];
}

type FlagProperties = Partial<Pick<FlagOption, 'short' | 'changes' | 'takesValue'>>;

export function flag<const M extends FlagProperties = object>(summary: string, more?: M) {
  return {type: 'flag' as const, summary, ...(more as M)};
}

type TextProperties = Partial<Pick<TextOption, 'short' | 'many' | 'verbatim' | 'completes'>>;

/** Returns an option whose value is a text; `value` is its placeholder in the help. */
export function text<const M extends TextProperties = object>(value: string, summary: string, more?: M) {
  return {type: 'text' as const, value, summary, ...(more as M)};
}

export function number(value: string, [min, max]: readonly [number, number], summary: string): NumberOption {
  return {type: 'number', value, min, max, summary};
}

export function choice<const T extends string>(choices: readonly T[], summary: string): ChoiceOption<T> {
  return {type: 'choice', choices, summary};
}

export type OptionTable = Readonly<Record<string, Option>>;

/** The completions that a shell offers for a value. */
export type CompletionSource = 'account' | 'file' | readonly string[];

type OptionValue<O> = O extends FlagOption
  ? O extends {readonly takesValue: true}
    ? string | undefined
    : boolean
  : O extends NumberOption
    ? number | undefined
    : O extends ChoiceOption<infer T>
      ? T | undefined
      : O extends {readonly many: true}
        ? readonly string[]
        : string | undefined;

export type OptionValues<T> = {readonly [K in keyof T]: OptionValue<T[K]>};

/** The description of a verb for parsing, help, completion and the manual. */
export interface Verb {
  readonly summary: string;
  /** The arguments after the name, one line for each way to use it. */
  readonly usage: readonly string[];
  readonly arguments: {
    readonly min: number;
    readonly max: number;
    readonly completes?: CompletionSource;
  };
  readonly options: OptionTable;
  /** Paragraphs at the end of the help. */
  readonly notes?: readonly string[];
  /** Whether a part of a name suffices, because the verb only reads. What changes something needs whole names. */
  readonly acceptsPartialNames?: true;
  /** The question before it deletes something; with `word` only if that is its first argument. `--yes` answers it. */
  readonly asks?: {readonly question: string; readonly word?: string};
  /** How to find out what became of a change; verbs that change something on the server have it. */
  readonly check?: string;
  /** Whether repeating it does harm, so that output which could not be written is no failure. */
  readonly mustNotRepeat?: true;
  /** Whether `--all` runs it for every account of this machine. */
  readonly spansAccounts?: true;
  /** Whether it works on files, programs or accounts of the machine that runs it, and so is not available over SSH. */
  readonly needsMachine?: true;
  /** Whether the verb parses its own arguments and has its own help. */
  readonly parsesOwnArguments?: true;
}

export const commonOptions = {
  json: flag('print JSON'),
  account: text('NAME', 'use this account', {completes: 'account'}),
  config: text('FILE', 'use the account in this zuliprc', {completes: 'file'}),
  color: choice(['auto', 'always', 'never'], 'use colours (auto)'),
  help: flag('show the help', {short: 'h'}),
};

export type CommonOptions = OptionValues<typeof commonOptions>;

/** How many arguments a verb takes, and what a shell offers for them. */
type ArgumentCount = readonly [min: number, max: number, completes?: CompletionSource];

/** Returns the usage of a verb that takes so many arguments and only these options. */
export function takesOnly<O extends OptionTable>(
  usage: string | readonly string[],
  [min, max, completes]: ArgumentCount,
  options: O,
) {
  return {
    usage: typeof usage === 'string' ? [usage] : usage,
    arguments: {min, max, ...(completes !== undefined && {completes})},
    options,
  };
}

/** Returns the usage of a verb of an account, which has the common options too. */
export function takes<O extends OptionTable = Record<never, Option>>(
  usage: string | readonly string[],
  count: ArgumentCount,
  options?: O,
) {
  const all = {...commonOptions, ...(options as O)};
  // The table of a verb without own options is recognized by the man page.
  return takesOnly(usage, count, options === undefined ? (commonOptions as typeof all) : all);
}

/** How to find out about a change that may be made twice. */
export const again = 'You can run it again: doing it twice does no harm.';

export const userNote = 'USER is @name, an e-mail address or an id.';
export const idNote = 'ID is an id from the list.';
/** What verbs with `--all` say about their output. */
export const allAccountsNote =
  '--all: one part for each account, with a heading. An account that fails is named on standard error, the others are printed, and the exit code is the highest. With --json, each object is on its own line and has the name in “account”.';
export const roleChoices = ['owner', 'administrator', 'moderator', 'member', 'guest'] as const;

/** The option of verbs whose record says `spansAccounts`. */
export const allAccounts = flag('all accounts of this machine');

/** The option of verbs that ask before they delete. */
export const yes = flag('do not ask', {short: 'y'});

/** The usage and the options of a verb of an account without arguments. */
export const takesNothing = takes('', [0, 0]);
