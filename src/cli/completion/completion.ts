import {UsageError, write} from '#cli/io.ts';
import {type CompletionSource, commonOptions, type Option, type Verb} from '#cli/verbs/verb.ts';
import {firstWordSummary} from '#cli/verbs/verb-help.ts';
import {
  firstWords,
  isVerbGroup,
  secondWords,
  type VerbName,
  type VerbRunner,
  verbNames,
  verbOf,
} from '#cli/verbs/verb-table.ts';
import {ownValue} from '#std/own-value.ts';

export const completionScripts = {bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion};

export const completion: VerbRunner<'completion'> = async ({words: [shell = '']}, io) => {
  const script = ownValue(completionScripts, shell);
  if (script === undefined) throw new UsageError(`There is no script for “${shell}”. Use bash, zsh or fish.`);
  write(io, script());
  return undefined;
};

/**
 * Returns what a shell offers after an option: undefined when it takes no value, `[]` when there are no suggestions.
 */
function completionSource(option: Option): CompletionSource | undefined {
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

/** Returns what a shell offers for the arguments of a verb: its second words, and what its record says. */
function argumentCompletions(name: VerbName): CompletionSource {
  const {completes = []} = verbOf(name).arguments;
  return typeof completes === 'string' ? completes : [...secondWords(name), ...completes];
}

/** Returns the names of the verbs of two words, each quoted. */
function twoWordNames(quoted: (name: string) => string): readonly string[] {
  return verbNames.filter((name) => name.includes(' ')).map(quoted);
}

/** Returns the words that are no verbs without a second word. */
function groupWords(): readonly string[] {
  return firstWords().filter(isVerbGroup);
}

function optionSpellings(key: string, {short}: Option): string[] {
  return short === undefined ? [`--${key}`] : [`--${key}`, `-${short}`];
}

/** Quotes the text as one word of a POSIX shell. */
function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The folder of the named accounts, as shell code: starting Parley to list them would be slower than typing. */
const accountsDirectory = `"\${XDG_CONFIG_HOME:-$HOME/.config}/parley/accounts"`;

/** Returns the completion script for bash 3.2 and newer, with or without the bash-completion package. */
function bashCompletion(): string {
  return `# bash completion for parley
_parley_named() {
  local file
  for file in ${accountsDirectory}/*.zuliprc; do
    [ -e "$file" ] || continue
    file=\${file##*/}
    printf '%s\\n' "\${file%.zuliprc}"
  done
}

_parley_accounts() {
  _parley_named
  printf 'demo\\n'
}

_parley() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} verb= index
  COMPREPLY=()
  for ((index = 1; index < COMP_CWORD; index++)); do
    case \${COMP_WORDS[index]} in
      --account|--config|--color|--theme) ((index++)) ;;
      -*) if [ -n "$verb" ]; then break; fi ;;
      *)
        if [ -n "$verb" ]; then
          case "$verb \${COMP_WORDS[index]}" in
            ${twoWordNames(shellQuoted).join('|')}) verb="$verb \${COMP_WORDS[index]}" ;;
          esac
          break
        fi
        verb=\${COMP_WORDS[index]} ;;
    esac
  done
  if [ "$previous" = = ] && [ "$COMP_CWORD" -ge 2 ]; then previous=\${COMP_WORDS[COMP_CWORD-2]}; fi
  if [ "$current" = = ]; then current=; fi
  case "$verb $previous" in
${[...verbNames.flatMap(bashValues), ...otherBashCases()].join('\n')}
  esac
  case $verb in
${[...verbNames.map(bashVerb), ...groupWords().map(bashGroup)].join('\n')}
    help|'') _parley_words ${shellQuoted([...firstWords(), 'help', '--help', '--version', '--account', '--config'].join(' '))} ;;
  esac
}

_parley_words() {
  local IFS=$' \\t\\n'
  COMPREPLY=($(compgen -W "$1" -- "$current"))
}

_parley_files() {
  local IFS=$'\\n'
  compopt -o filenames 2>/dev/null
  COMPREPLY=($(compgen -f -- "$current"))
}

complete -F _parley parley
`;
}

function bashCommand(completes: CompletionSource): string {
  if (completes === 'account') return '_parley_words "$(_parley_accounts)"';
  if (completes === 'file') return '_parley_files';
  return completes.length === 0 ? ':' : `_parley_words ${shellQuoted(completes.join(' '))}`;
}

/** Returns the cases for a word after an option that takes a value. */
function bashValues(name: VerbName): string[] {
  return Object.entries(verbOf(name).options).flatMap(([key, option]) => {
    const completes = completionSource(option);
    if (completes === undefined) return [];
    const patterns = optionSpellings(key, option).map((spelling) => shellQuoted(`${name} ${spelling}`));
    return [`    ${patterns.join('|')}) ${bashCommand(completes)}; return ;;`];
  });
}

/** Returns the cases for options before the verb and for subcommands of “accounts” that take a name. */
function otherBashCases(): string[] {
  return [
    `    'accounts default'|'accounts remove') _parley_words "$(_parley_named)"; return ;;`,
    `    ' --account') ${bashCommand('account')}; return ;;`,
    `    ' --config') ${bashCommand('file')}; return ;;`,
    `    ' --color') ${bashCommand(['auto', 'always', 'never'])}; return ;;`,
  ];
}

function bashGroup(word: string): string {
  return `    ${word}) _parley_words ${shellQuoted([...secondWords(word), '--help'].join(' '))} ;;`;
}

function bashVerb(name: VerbName): string {
  const flags = Object.entries(verbOf(name).options).flatMap(([key, option]) => optionSpellings(key, option));
  const completes = argumentCompletions(name);
  const words = typeof completes === 'string' ? [] : completes;
  const argumentCommand = completes === 'file' ? '_parley_files' : `_parley_words ${shellQuoted(words.join(' '))}`;
  return `    ${shellQuoted(name)})
      case $current in
        -*) _parley_words ${shellQuoted(flags.join(' '))} ;;
        *) ${argumentCommand} ;;
      esac ;;`;
}

/**
 * Returns the zsh script, which works when evaluated after compinit and as a file \`_parley\` in a directory of fpath.
 */
function zshCompletion(): string {
  return `#compdef parley
# zsh completion for parley
_parley_named() {
  local -a names
  names=(${accountsDirectory}/*.zuliprc(N:t:r))
  compadd -a names
}

_parley_accounts() {
  local -a names
  names=(${accountsDirectory}/*.zuliprc(N:t:r) demo)
  compadd -a names
}

_parley() {
  local -a verbs
  verbs=(
${firstWords()
  .map((word) => `    ${shellQuoted(`${word}:${firstWordSummary(word)}`)}`)
  .join('\n')}
  )
  local -i at=2
  while (( at < CURRENT )); do
    case $words[at] in
      --account|--config|--color|--theme) (( at += 2 )) ;;
      -*) (( at++ )) ;;
      *) break ;;
    esac
  done
  if (( at > CURRENT )); then
    case $words[CURRENT-1] in
      --account) _parley_accounts ;;
      --config) _files ;;
      --color) compadd auto always never ;;
    esac
    return
  fi
  if (( at == CURRENT )); then
    _describe -t commands 'parley verb' verbs
    if [[ $words[CURRENT] = -* ]]; then compadd -- --help --version --account --config --color --json; fi
    return
  fi
  local verb=$words[at]
  if (( at + 1 < CURRENT )); then
    case "$verb $words[at+1]" in
      ${twoWordNames(shellQuoted).join('|')}) verb="$verb $words[at+1]"; (( at++ )) ;;
    esac
  fi
  shift $((at - 1)) words
  (( CURRENT -= at - 1 ))
  case $verb in
${[...verbNames.map(zshVerb), ...groupWords().map(zshGroup)].join('\n')}
  esac
}

if [ "$funcstack[1]" = _parley ]; then
  _parley "$@"
else
  compdef _parley parley
fi
`;
}

function zshAction(completes: CompletionSource): string {
  if (completes === 'account') return '_parley_accounts';
  if (completes === 'file') return '_files';
  return completes.length === 0 ? ' ' : `(${completes.join(' ')})`;
}

function zshEscaped(text: string): string {
  return text.replaceAll(/[\\:[\]]/g, (character) => `\\${character}`);
}

function zshOptions(key: string, option: Option): string[] {
  const completes = completionSource(option);
  const value = completes === undefined ? '' : `:${zshEscaped(key)}:${zshAction(completes)}`;
  const isMany = option.type === 'text' && option.many === true;
  const spec = (spelling: string) =>
    shellQuoted(`${isMany ? '*' : ''}${spelling}[${zshEscaped(option.summary)}]${value}`);
  const equals = completes === undefined ? '' : '=';
  return [spec(`--${key}${equals}`), ...(option.short === undefined ? [] : [spec(`-${option.short}`)])];
}

function zshGroup(word: string): string {
  return `    ${word}) _arguments ${shellQuoted(`1:verb:${zshAction(secondWords(word))}`)} ;;`;
}

function zshVerb(name: VerbName): string {
  const {options, arguments: positionals} = verbOf(name);
  const specs = Object.entries(options).flatMap(([key, option]) => zshOptions(key, option));
  return `    ${shellQuoted(name)}) _arguments -s ${[...specs, ...zshArguments(name, positionals)].join(' ')} ;;`;
}

/** Returns specs that complete the first argument with the verb's words, and later ones with account names if any. */
function zshArguments(name: VerbName, {max}: Verb['arguments']): string[] {
  const completes = argumentCompletions(name);
  if (max === 0 && completes.length === 0) return [];
  if (typeof completes === 'string' || completes.length === 0)
    return [shellQuoted(`*:argument:${zshAction(completes)}`)];
  const next = name === 'accounts' ? '_parley_named' : ' ';
  return [shellQuoted(`1:argument:${zshAction(completes)}`), shellQuoted(`*:argument:${next}`)];
}

function fishCompletion(): string {
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
${[...fishLeading(), ...firstWords().map(fishFirstWord), ...verbNames.flatMap(fishVerb), ...groupWords().map(fishGroup)].join('\n')}
complete -c parley -n __parley_names_account -a '(__parley_named)'
`;
}

/** Returns the completions of options before the verb. */
function fishLeading(): string[] {
  return [
    ...Object.entries(commonOptions).map(([key, option]) => fishOption('__parley_needs_verb', key, option)),
    'complete -c parley -n __parley_needs_verb -l version',
  ];
}

function fishFirstWord(word: string): string {
  return `complete -c parley -n __parley_needs_verb -a ${word} -d ${fishQuoted(firstWordSummary(word))}`;
}

function fishGroup(word: string): string {
  return `complete -c parley -n ${shellQuoted(`__parley_is ${word}`)}${fishArguments(secondWords(word))}`;
}

function fishVerb(name: VerbName): string[] {
  const {options} = verbOf(name);
  const condition = shellQuoted(`__parley_is ${name}`);
  const first = name === 'accounts' ? shellQuoted(`__parley_is ${name}; and not __parley_names_account`) : condition;
  const words = fishArguments(argumentCompletions(name));
  return [
    ...Object.entries(options).map(([key, option]) => fishOption(condition, key, option)),
    ...(words === '' ? [] : [`complete -c parley -n ${first}${words}`]),
  ];
}

function fishOption(condition: string, key: string, option: Option): string {
  const short = option.short === undefined ? '' : ` -s ${option.short}`;
  const completes = completionSource(option);
  // -x: takes a value that is not a file.
  const value = completes === undefined ? '' : ` ${completes === 'file' ? '-r' : '-x'}${fishArguments(completes)}`;
  return `complete -c parley -n ${condition} -l ${key}${short}${value} -d ${fishQuoted(option.summary)}`;
}

function fishArguments(completes: CompletionSource): string {
  if (completes === 'file') return ' -F';
  if (completes === 'account') return ` -a '(__parley_accounts)'`;
  return completes.length === 0 ? '' : ` -a ${fishQuoted(completes.join(' '))}`;
}

/** Quotes for fish, which knows two escapes inside single quotes. */
function fishQuoted(text: string): string {
  return `'${text.replaceAll(/['\\]/g, (character) => `\\${character}`)}'`;
}
