import {type CompletionSource, commonOptions, type Option} from '#cli/verbs/verb.ts';
import {firstWordSummary} from '#cli/verbs/verb-help.ts';
import {firstWords, secondWords, type VerbName, verbNames, verbOf} from '#cli/verbs/verb-table.ts';
import {argumentCompletions, completionSource, groupWords, shellQuoted, twoWordNames} from './option-completions.ts';

export function fishCompletion(): string {
  return `# fish completion for parley
function __parley_named
    set -l directory $HOME/.config
    test -n "$XDG_CONFIG_HOME"; and set directory $XDG_CONFIG_HOME
    for file in $directory/parley/accounts/*.zuliprc
        string replace -r '.*/(.*)\\.zuliprc$' '$1' -- $file
    end
end

function __parley_accounts
    __parley_named
    echo demo
end

# Prints the verb and the words after it; options may come before the verb.
function __parley_words
    set -l words (commandline -opc)
    set -e words[1]
    while set -q words[1]
        switch $words[1]
            case --account --config --color --theme
                set -e words[1]
                set -q words[1]; and set -e words[1]
            case '-*'
                set -e words[1]
            case '*'
                string join \\n -- $words
                return 0
        end
    end
    return 1
end

function __parley_needs_verb
    not __parley_words >/dev/null
end

# Tests whether the verb is this one. A verb of two words is not the one of its first word.
function __parley_is
    set -l words (__parley_words)
    or return 1
    if contains -- "$words[1] $words[2]" ${twoWordNames(fishQuoted).join(' ')}
        test "$words[1] $words[2]" = "$argv"
    else
        test "$words[1]" = "$argv"
    end
end

function __parley_names_account
    set -l words (__parley_words)
    and test "$words[1]" = accounts
    and contains -- "$words[-1]" default remove
end

complete -c parley -f
${[...leadingLines(), ...firstWords().map(firstWordLine), ...verbNames.flatMap(verbLines), ...groupWords().map(groupLine)].join('\n')}
complete -c parley -n __parley_names_account -a '(__parley_named)'
`;
}

/** Returns the completions of options before the verb. */
function leadingLines(): string[] {
  return [
    ...Object.entries(commonOptions).map(([key, option]) => optionLine('__parley_needs_verb', key, option)),
    'complete -c parley -n __parley_needs_verb -l version',
  ];
}

function firstWordLine(word: string): string {
  return `complete -c parley -n __parley_needs_verb -a ${word} -d ${fishQuoted(firstWordSummary(word))}`;
}

function groupLine(word: string): string {
  return `complete -c parley -n ${shellQuoted(`__parley_is ${word}`)}${argumentsFor(secondWords(word))}`;
}

function verbLines(name: VerbName): string[] {
  const {options} = verbOf(name);
  const condition = shellQuoted(`__parley_is ${name}`);
  const first = name === 'accounts' ? shellQuoted(`__parley_is ${name}; and not __parley_names_account`) : condition;
  const words = argumentsFor(argumentCompletions(name));
  return [
    ...Object.entries(options).map(([key, option]) => optionLine(condition, key, option)),
    ...(words === '' ? [] : [`complete -c parley -n ${first}${words}`]),
  ];
}

function optionLine(condition: string, key: string, option: Option): string {
  const short = option.short === undefined ? '' : ` -s ${option.short}`;
  const completes = completionSource(option);
  // -x: takes a value that is not a file.
  const value = completes === undefined ? '' : ` ${completes === 'file' ? '-r' : '-x'}${argumentsFor(completes)}`;
  return `complete -c parley -n ${condition} -l ${key}${short}${value} -d ${fishQuoted(option.summary)}`;
}

function argumentsFor(completes: CompletionSource): string {
  if (completes === 'file') return ' -F';
  if (completes === 'account') return ` -a '(__parley_accounts)'`;
  return completes.length === 0 ? '' : ` -a ${fishQuoted(completes.join(' '))}`;
}

/** Quotes for fish, which knows two escapes inside single quotes. */
function fishQuoted(text: string): string {
  return `'${text.replaceAll(/['\\]/g, (character) => `\\${character}`)}'`;
}
