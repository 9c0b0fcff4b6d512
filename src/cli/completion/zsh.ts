import {type VerbName, verbNames, verbOf} from '#cli/verbs/table.ts';
import type {Completes, Option} from '#cli/verbs/verb.ts';
import {accountsDirectory, completesOf, quoted} from './words.ts';

/** To be evaluated after compinit, or to be put into a directory of fpath as \`_parley\`. */
export function zshCompletion(): string {
  return `#compdef parley
# zsh completion for parley
_parley_accounts() {
  local -a names
  names=(${accountsDirectory}/*.zuliprc(N:t:r) demo)
  compadd -a names
}

_parley() {
  local -a verbs
  verbs=(
${verbNames.map((name) => `    ${quoted(`${name}:${verbOf(name).summary}`)}`).join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe -t commands 'parley verb' verbs
    compadd -- --help --version
    return
  fi
  local verb=$words[2]
  shift words
  (( CURRENT-- ))
  case $verb in
${verbNames.map(verbCase).join('\n')}
  esac
}

if [ "$funcstack[1]" = _parley ]; then
  _parley "$@"
else
  compdef _parley parley
fi
`;
}

function action(completes: Completes): string {
  if (completes === 'account') return '_parley_accounts';
  if (completes === 'file') return '_files';
  return completes.length === 0 ? ' ' : `(${completes.join(' ')})`;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\:[\]]/g, (character) => `\\${character}`);
}

function optionSpecs(key: string, option: Option): string[] {
  const completes = completesOf(option);
  const value = completes === undefined ? '' : `:${escaped(key)}:${action(completes)}`;
  const isMany = option.type === 'text' && option.many === true;
  const spec = (spelling: string) =>
    quoted(`${isMany ? '*' : ''}${spelling}[${escaped(option.summary)}]${value}`);
  const equals = completes === undefined ? '' : '=';
  return [spec(`--${key}${equals}`), ...(option.short === undefined ? [] : [spec(`-${option.short}`)])];
}

function verbCase(name: VerbName): string {
  const {options, arguments: wanted} = verbOf(name);
  const specs = Object.entries(options).flatMap(([key, option]) => optionSpecs(key, option));
  const words = wanted.most === 0 ? [] : [quoted(`*:argument:${action(wanted.completes ?? [])}`)];
  return `    ${name}) _arguments -s ${[...specs, ...words].join(' ')} ;;`;
}
