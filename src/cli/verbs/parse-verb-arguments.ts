import {parseArgs} from 'node:util';
import {asUsageError, type CliIo, type ExitCode, exitCodes, UsageError, write} from '#cli/io.ts';
import {reportFailure} from '#cli/report-failure.ts';
import type {Option, OptionTable} from './verb.ts';
import {
  printResult,
  type SelfParsingVerbName,
  type VerbArguments,
  type VerbName,
  type VerbOutcome,
  verbOf,
} from './verb-table.ts';

type ParsedValues = Record<string, string | boolean | (string | boolean)[] | undefined>;

/** Parses the arguments of a verb and checks them against its record. Errors end with `hint`, which names the help. */
export function parseVerbArguments<N extends VerbName>(
  name: N,
  argv: readonly string[],
  hint = `See “parley ${name} --help”.`,
): VerbArguments<N> {
  const {options, arguments: positionalRule, acceptsPartialNames} = verbOf(name);
  const {values, positionals} = parseOptions(joinVerbatimValues(argv, options), options, hint);
  const checked: Record<string, unknown> = {};
  for (const [key, option] of Object.entries(options)) checked[key] = checkedValue(key, option, values[key]);
  if (values.help !== true) {
    if (positionals.length < positionalRule.min) throw new UsageError(`${usageLine(name)} ${hint}`);
    const surplus = positionals[positionalRule.max];
    if (surplus !== undefined) throw new UsageError(`Unexpected argument “${surplus}”. ${hint}`);
  }
  const changes = Object.entries(options).some(([key, option]) => option.changes === true && values[key] !== undefined);
  return {
    // Each value was checked against the record that its type is derived from.
    values: checked as VerbArguments<N>['values'],
    words: positionals,
    matching: acceptsPartialNames === true && !changes ? 'partial' : 'exact',
  };
}

/** Returns the function of a verb that has its own help. */
export function verbWithHelp<N extends SelfParsingVerbName>(
  name: N,
  help: string,
  body: (verbArguments: VerbArguments<N>, io: CliIo) => Promise<VerbOutcome>,
): (argv: readonly string[], io: CliIo) => Promise<ExitCode> {
  return async (argv, io) => {
    try {
      const verbArguments = parseVerbArguments(name, argv, ownHelpHint(name));
      const {values} = verbArguments;
      if (!values.help) return printResult(io, values, await body(verbArguments, io));
      write(io, help);
      return exitCodes.ok;
    } catch (error) {
      return reportFailure(io, error);
    }
  };
}

export function ownHelpHint(name: SelfParsingVerbName): string {
  return `“parley ${name} --help” lists the options.`;
}

function usageLine(name: VerbName): string {
  const usages = verbOf(name).usage.map((way) => `“parley ${name} ${way}”`);
  return `Missing arguments. Usage: ${usages.join(' or ')}.`;
}

function parseOptions(args: string[], table: OptionTable, hint: string): {values: ParsedValues; positionals: string[]} {
  const options = Object.fromEntries(
    Object.entries(table).map(([key, option]) => [
      key,
      {
        type: isBoolean(option) ? ('boolean' as const) : ('string' as const),
        multiple: option.type === 'text' && option.many === true,
        ...(option.short !== undefined && {short: option.short}),
      },
    ]),
  );
  try {
    return parseArgs({args, options, allowPositionals: true});
  } catch (error) {
    const word = args.find((one) => /^-[a-z-]+:/i.test(one));
    throw asUsageError(error, word === undefined ? hint : `Write -- before “${word}”, which is no option. ${hint}`);
  }
}

function isBoolean(option: Option): boolean {
  return option.type === 'flag' && option.takesValue !== true;
}

/**
 * Joins `-m "- a list"` to `--message=- a list`: the word after such an option is its value, even if it
 * starts with a dash. A flag that may have a value gets an empty one.
 */
function joinVerbatimValues(argv: readonly string[], options: OptionTable): string[] {
  const spellings = new Map<string, string>();
  const valueless = new Set<string>();
  for (const [key, option] of Object.entries(options)) {
    if (option.type === 'flag' && option.takesValue === true) valueless.add(`--${key}`);
    if (option.type !== 'text' || option.verbatim !== true) continue;
    spellings.set(`--${key}`, key);
    if (option.short !== undefined) spellings.set(`-${option.short}`, key);
  }
  const args: string[] = [];
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? '';
    if (word === '--') return [...args, ...argv.slice(at)];
    const key = spellings.get(word);
    const value = argv[at + 1];
    if (key === undefined || value === undefined) args.push(valueless.has(word) ? `${word}=` : word);
    else {
      args.push(`--${key}=${value}`);
      at += 1;
    }
  }
  return args;
}

function checkedValue(key: string, option: Option, value: ParsedValues[string]): unknown {
  switch (option.type) {
    case 'flag':
      return isBoolean(option) ? value === true : value;
    case 'text':
      return option.many === true ? (value ?? []) : value;
    case 'choice': {
      if (value === undefined || option.choices.some((choice) => choice === value)) return value;
      throw new UsageError(`--${key} must be one of ${option.choices.join(', ')}, not “${value}”.`);
    }
    case 'number': {
      if (value === undefined) return undefined;
      const number = /^\d{1,16}$/.test(String(value)) ? Number(value) : Number.NaN;
      if (number >= option.min && number <= option.max) return number;
      const range = option.max === Number.MAX_SAFE_INTEGER ? 'above 0' : `from ${option.min} to ${option.max}`;
      throw new UsageError(`--${key} must be a whole number ${range}, not “${value}”.`);
    }
  }
}
