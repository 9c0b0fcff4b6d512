/** A switch, a text, a number, or one of several words. */
export type Option = FlagOption | TextOption | NumberOption | ChoiceOption;

interface OptionDescription {
  readonly summary: string;
  readonly short?: string;
}
export interface FlagOption extends OptionDescription {
  readonly type: 'flag';
}
export interface TextOption extends OptionDescription {
  readonly type: 'text';
  /** What stands for the value in help. */
  readonly value: string;
  readonly many?: boolean;
  /** The value may begin with a dash, as lists in messages do. */
  readonly verbatim?: boolean;
  readonly completes?: CompletionSource;
}
export interface NumberOption extends OptionDescription {
  readonly type: 'number';
  readonly value: string;
  readonly least: number;
  readonly most: number;
}
export interface ChoiceOption<T extends string = string> extends OptionDescription {
  readonly type: 'choice';
  readonly choices: readonly T[];
}

export type OptionTable = Readonly<Record<string, Option>>;

/** What a shell offers for a value. */
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

/** One verb, as everything but its own code needs to know it: parsing, help, completion, the table in README. */
export interface Verb {
  readonly summary: string;
  /** What follows the name, one line for each way to use it. */
  readonly usage: readonly string[];
  readonly arguments: {
    readonly least: number;
    readonly most: number;
    readonly completes?: CompletionSource;
  };
  readonly options: OptionTable;
  /** Paragraphs at the end of its help. */
  readonly notes?: readonly string[];
  /** It reads its own command line, and has its own help. */
  readonly isOwn?: true;
}

export const commonOptions = {
  json: {type: 'flag', summary: 'print JSON, for programs'},
  account: {type: 'text', value: 'NAME', completes: 'account', summary: 'as this account'},
  config: {type: 'text', value: 'FILE', completes: 'file', summary: 'as the account in this zuliprc'},
  color: {type: 'choice', choices: ['auto', 'always', 'never'], summary: 'whether to use colours (auto)'},
  help: {type: 'flag', short: 'h', summary: 'print this'},
} as const satisfies OptionTable;

export type CommonOptions = OptionValues<typeof commonOptions>;
