import {type VerbName, verbNames, verbOf} from '#cli/verbs/table.ts';
import type {Completes, Option} from '#cli/verbs/verb.ts';
import {completesOf, quoted} from './words.ts';

export function fishCompletion(): string {
  return `# fish completion for parley
function __parley_accounts
    set -l directory $HOME/.config
    test -n "$XDG_CONFIG_HOME"; and set directory $XDG_CONFIG_HOME
    for file in $directory/parley/accounts/*.zuliprc
        string replace -r '.*/(.*)\\.zuliprc$' '$1' -- $file
    end
    echo demo
end

complete -c parley -f
${verbNames.flatMap(verbLines).join('\n')}
`;
}

function verbLines(name: VerbName): string[] {
  const {summary, options, arguments: wanted} = verbOf(name);
  const here = quoted(`__fish_seen_subcommand_from ${name}`);
  const words = wanted.completes === undefined ? '' : argumentsFor(wanted.completes);
  return [
    `complete -c parley -n __fish_use_subcommand -a ${name} -d ${fishQuoted(summary)}`,
    ...Object.entries(options).map(([key, option]) => optionLine(here, key, option)),
    ...(words === '' ? [] : [`complete -c parley -n ${here}${words}`]),
  ];
}

function optionLine(here: string, key: string, option: Option): string {
  const short = option.short === undefined ? '' : ` -s ${option.short}`;
  const completes = completesOf(option);
  const value = completes === undefined ? '' : ` -r${argumentsFor(completes)}`;
  return `complete -c parley -n ${here} -l ${key}${short}${value} -d ${fishQuoted(option.summary)}`;
}

function argumentsFor(completes: Completes): string {
  if (completes === 'file') return ' -F';
  if (completes === 'account') return ` -a '(__parley_accounts)'`;
  return completes.length === 0 ? '' : ` -a ${fishQuoted(completes.join(' '))}`;
}

/** fish knows two escapes inside single quotes. */
function fishQuoted(text: string): string {
  return `'${text.replaceAll(/['\\]/g, (character) => `\\${character}`)}'`;
}
