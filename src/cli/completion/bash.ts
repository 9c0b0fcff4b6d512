import type {CompletionSource} from '#cli/verbs/verb.ts';
import {firstWords, secondWords, type VerbName, verbNames, verbOf} from '#cli/verbs/verb-table.ts';
import {
  accountsDirectory,
  argumentCompletions,
  completionSource,
  groupWords,
  optionSpellings,
  shellQuoted,
  twoWordNames,
} from './option-completions.ts';

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
${[...verbNames.flatMap(valueCases), ...otherCases()].join('\n')}
  esac
  case $verb in
${[...verbNames.map(verbCase), ...groupWords().map(groupCase)].join('\n')}
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

function groupCase(word: string): string {
  return `    ${word}) _parley_words ${shellQuoted([...secondWords(word), '--help'].join(' '))} ;;`;
}

function verbCase(name: VerbName): string {
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
