import type {CompletionSource, Option, Verb} from '#cli/verbs/verb.ts';
import {firstWordSummary} from '#cli/verbs/verb-help.ts';
import {firstWords, secondWords, type VerbName, verbNames, verbOf} from '#cli/verbs/verb-table.ts';
import {
  accountsDirectory,
  argumentCompletions,
  completionSource,
  groupWords,
  shellQuoted,
  twoWordNames,
} from './option-completions.ts';

/**
 * Returns the zsh script, which works when evaluated after compinit and as a file \`_parley\` in a directory of fpath.
 */
export function zshCompletion(): string {
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
${[...verbNames.map(verbCase), ...groupWords().map(groupCase)].join('\n')}
  esac
}

if [ "$funcstack[1]" = _parley ]; then
  _parley "$@"
else
  compdef _parley parley
fi
`;
}

function action(completes: CompletionSource): string {
  if (completes === 'account') return '_parley_accounts';
  if (completes === 'file') return '_files';
  return completes.length === 0 ? ' ' : `(${completes.join(' ')})`;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\:[\]]/g, (character) => `\\${character}`);
}

function optionSpecs(key: string, option: Option): string[] {
  const completes = completionSource(option);
  const value = completes === undefined ? '' : `:${escaped(key)}:${action(completes)}`;
  const isMany = option.type === 'text' && option.many === true;
  const spec = (spelling: string) => shellQuoted(`${isMany ? '*' : ''}${spelling}[${escaped(option.summary)}]${value}`);
  const equals = completes === undefined ? '' : '=';
  return [spec(`--${key}${equals}`), ...(option.short === undefined ? [] : [spec(`-${option.short}`)])];
}

function groupCase(word: string): string {
  return `    ${word}) _arguments ${shellQuoted(`1:verb:${action(secondWords(word))}`)} ;;`;
}

function verbCase(name: VerbName): string {
  const {options, arguments: positionals} = verbOf(name);
  const specs = Object.entries(options).flatMap(([key, option]) => optionSpecs(key, option));
  return `    ${shellQuoted(name)}) _arguments -s ${[...specs, ...argumentSpecs(name, positionals)].join(' ')} ;;`;
}

/** Returns specs that complete the first argument with the verb's words, and later ones with account names if any. */
function argumentSpecs(name: VerbName, {max}: Verb['arguments']): string[] {
  const completes = argumentCompletions(name);
  if (max === 0 && completes.length === 0) return [];
  if (typeof completes === 'string' || completes.length === 0) return [shellQuoted(`*:argument:${action(completes)}`)];
  const next = name === 'accounts' ? '_parley_named' : ' ';
  return [shellQuoted(`1:argument:${action(completes)}`), shellQuoted(`*:argument:${next}`)];
}
