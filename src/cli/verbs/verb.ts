/** An option of a verb: a flag, a text, a number, or one of several words. */
export type Option = FlagOption | TextOption | NumberOption | ChoiceOption;

interface OptionDescription {
  readonly summary: string;
  /** Whether it makes a verb that otherwise only reads change something, so that names must be whole. */
  readonly changes?: true;
  readonly short?: string;
}
export interface FlagOption extends OptionDescription {
  readonly type: 'flag';
}
export interface TextOption extends OptionDescription {
  readonly type: 'text';
  /** The placeholder for the value in the help. */
  readonly value: string;
  readonly many?: boolean;
  /** Whether the value may start with a dash, as Markdown lists do. */
  readonly verbatim?: boolean;
  readonly completes?: CompletionSource;
}
export interface NumberOption extends OptionDescription {
  readonly type: 'number';
  readonly value: string;
  readonly min: number;
  readonly max: number;
}
export interface ChoiceOption<T extends string = string> extends OptionDescription {
  readonly type: 'choice';
  readonly choices: readonly T[];
}

export type OptionTable = Readonly<Record<string, Option>>;

/** The completions that a shell offers for a value. */
export type CompletionSource = 'account' | 'file' | readonly string[];

type OptionValue<O> = O extends FlagOption
  ? boolean
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
  /** Whether repeating it does harm, so that output which could not be written is no failure. */
  readonly mustNotRepeat?: true;
  /** Whether the verb parses its own arguments and has its own help. */
  readonly parsesOwnArguments?: true;
}

export const commonOptions = {
  json: {type: 'flag', summary: 'print JSON'},
  account: {type: 'text', value: 'NAME', completes: 'account', summary: 'use this account'},
  config: {type: 'text', value: 'FILE', completes: 'file', summary: 'use the account in this zuliprc'},
  color: {type: 'choice', choices: ['auto', 'always', 'never'], summary: 'use colours (auto)'},
  help: {type: 'flag', short: 'h', summary: 'show the help'},
} as const satisfies OptionTable;

export type CommonOptions = OptionValues<typeof commonOptions>;
