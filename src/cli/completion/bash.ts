import type {CompletionSource} from '#cli/verbs/verb.ts';
import {type VerbName, verbNames, verbOf} from '#cli/verbs/verb-table.ts';
import {accountsDirectory, completionSource, optionSpellings, shellQuoted} from './option-completions.ts';

/** Returns the completion script for bash 3.2 and newer, with or without the bash-completion package. */
export function bashCompletion(): string {
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
      -*) ;;
      *) verb=\${COMP_WORDS[index]}; break ;;
    esac
  done
  if [ "$previous" = = ] && [ "$COMP_CWORD" -ge 2 ]; then previous=\${COMP_WORDS[COMP_CWORD-2]}; fi
  if [ "$current" = = ]; then current=; fi
  case "$verb $previous" in
${[...verbNames.flatMap(valueCases), ...otherCases()].join('\n')}
  esac
  case $verb in
${verbNames.map(verbCase).join('\n')}
    help|'') _parley_words ${shellQuoted([...verbNames, 'help', '--help', '--version', '--account', '--config'].join(' '))} ;;
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

function completionCommand(completes: CompletionSource): string {
  if (completes === 'account') return '_parley_words "$(_parley_accounts)"';
  if (completes === 'file') return '_parley_files';
  return completes.length === 0 ? ':' : `_parley_words ${shellQuoted(completes.join(' '))}`;
}

/** Returns the cases for a word after an option that takes a value. */
function valueCases(name: VerbName): string[] {
  return Object.entries(verbOf(name).options).flatMap(([key, option]) => {
    const completes = completionSource(option);
    if (completes === undefined) return [];
    const patterns = optionSpellings(key, option).map((spelling) => shellQuoted(`${name} ${spelling}`));
    return [`    ${patterns.join('|')}) ${completionCommand(completes)}; return ;;`];
  });
}

/** Returns the cases for options before the verb and for subcommands of “accounts” that take a name. */
function otherCases(): string[] {
  return [
    `    'accounts default'|'accounts remove') _parley_words "$(_parley_named)"; return ;;`,
    `    ' --account') ${completionCommand('account')}; return ;;`,
    `    ' --config') ${completionCommand('file')}; return ;;`,
    `    ' --color') ${completionCommand(['auto', 'always', 'never'])}; return ;;`,
  ];
}

function verbCase(name: VerbName): string {
  const {options, arguments: positionals} = verbOf(name);
  const flags = Object.entries(options).flatMap(([key, option]) => optionSpellings(key, option));
  const {completes = []} = positionals;
  const words = typeof completes === 'string' ? [] : completes;
  const argumentCommand = completes === 'file' ? '_parley_files' : `_parley_words ${shellQuoted(words.join(' '))}`;
  return `    ${name})
      case $current in
        -*) _parley_words ${shellQuoted(flags.join(' '))} ;;
        *) ${argumentCommand} ;;
      esac ;;`;
}
