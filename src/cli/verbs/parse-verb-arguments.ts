import {parseArgs} from 'node:util';
import {asUsageError, UsageError} from '#cli/usage-error.ts';
import type {Option, OptionTable} from './verb.ts';
import {type VerbArguments, type VerbName, verbOf} from './verb-table.ts';

type ParsedValues = Record<string, string | boolean | (string | boolean)[] | undefined>;

/** argv of one verb, checked against its record. */
export function parseVerbArguments<N extends VerbName>(name: N, argv: readonly string[]): VerbArguments<N> {
  const {options, arguments: wanted} = verbOf(name);
  const {values, positionals} = parsed(name, withJoined(argv, options), options);
  const checked: Record<string, unknown> = {};
  for (const [key, option] of Object.entries(options)) checked[key] = checkedValue(key, option, values[key]);
  if (values.help !== true) {
    if (positionals.length < wanted.least) throw new UsageError(`${usageLine(name)} ${seeHelp(name)}`);
    const surplus = positionals[wanted.most];
    if (surplus !== undefined)
      throw new UsageError(`“${surplus}” is one word too many here. ${seeHelp(name)}`);
  }
  // Each value was checked against the record that its type is derived from.
  return {values: checked as VerbArguments<N>['values'], words: positionals};
}

export function seeHelp(name: VerbName): string {
  return `“parley ${name} --help” says more.`;
}

function usageLine(name: VerbName): string {
  const ways = verbOf(name).usage.map((way) => `“parley ${name} ${way}”`);
  return `Something is missing: it is ${ways.join(' or ')}.`;
}

function parsed(
  name: VerbName,
  args: string[],
  table: OptionTable,
): {values: ParsedValues; positionals: string[]} {
  const options = Object.fromEntries(
    Object.entries(table).map(([key, option]) => [
      key,
      {
        type: option.type === 'flag' ? ('boolean' as const) : ('string' as const),
        multiple: option.type === 'text' && option.many === true,
        ...(option.short !== undefined && {short: option.short}),
      },
    ]),
  );
  try {
    return parseArgs({args, options, allowPositionals: true});
  } catch (error) {
    throw asUsageError(error, seeHelp(name));
  }
}

/** `-m "- a list"` → `--message=- a list`: what follows such an option is its value, whatever it begins with. */
function withJoined(argv: readonly string[], options: OptionTable): string[] {
  const spellings = new Map<string, string>();
  for (const [key, option] of Object.entries(options)) {
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
    if (key === undefined || value === undefined) args.push(word);
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
      return value === true;
    case 'text':
      return option.many === true ? (value ?? []) : value;
    case 'choice': {
      if (value === undefined || option.choices.some((choice) => choice === value)) return value;
      throw new UsageError(`--${key} is one of ${option.choices.join(', ')}; “${value}” is not.`);
    }
    case 'number': {
      if (value === undefined) return undefined;
      const number = /^\d{1,16}$/.test(String(value)) ? Number(value) : Number.NaN;
      if (number >= option.least && number <= option.most) return number;
      const range =
        option.most === Number.MAX_SAFE_INTEGER ? 'above 0' : `from ${option.least} to ${option.most}`;
      throw new UsageError(`--${key} is a whole number ${range}; “${value}” is not.`);
    }
  }
}
