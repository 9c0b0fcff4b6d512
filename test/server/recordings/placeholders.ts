import type {ComparisonContext} from './difference.ts';
import {kindOf, literalPattern, shown} from './json-text.ts';
import type {Json} from './recording.ts';
import {kindOfSymbol} from './symbols.ts';

/** A symbol (`$m.first$`), any value of a type (`$int$`), or a part of a text (`$path$`). */
const placeholder = /\$(?:(?<symbol>[a-z]+\.[\w-]+)|(?<type>int|num|str|any|list|object)|(?<part>path|BASE|HOST))\$/g;

const isOfType: Readonly<Record<string, (value: Json) => boolean>> = {
  int: (value) => Number.isInteger(value),
  num: (value) => typeof value === 'number',
  str: (value) => typeof value === 'string',
  list: (value) => Array.isArray(value),
  object: (value) => kindOf(value) === 'object',
  any: () => true,
};

/** What a placeholder stands for inside a longer text. */
const patternInText: Readonly<Record<string, string>> = {
  int: '-?\\d+',
  num: '-?[\\d.]+',
  str: '.*?',
  any: '.*?',
  path: '[\\w/.-]+',
  BASE: 'https?://[\\w.:-]+',
  HOST: '[\\w.:-]+',
};

export function hasPlaceholder(value: Json): value is string {
  return typeof value === 'string' && value.search(placeholder) >= 0;
}

/** Compares a value with a text that has placeholders, and binds its new symbols. */
export function comparePlaceholder(context: ComparisonContext, expected: string, actual: Json, at: string): void {
  const [first] = expected.matchAll(placeholder);
  const {symbol, type} = first?.[0] === expected ? (first.groups ?? {}) : {};
  if (type !== undefined) {
    if (isOfType[type]?.(actual) !== true) context.report(typeDifference(at, expected, actual));
  } else if (symbol !== undefined) compareSymbol(context, symbol, actual, at);
  else if (typeof actual === 'string') compareText(context, expected, actual, at);
  else context.report(typeDifference(at, `str: ${shown(expected)}`, actual));
}

function typeDifference(at: string, expected: string, actual: Json) {
  return {class: 'type', at, real: expected, here: `${kindOf(actual)}: ${shown(actual)}`};
}

function compareSymbol({symbols, report}: ComparisonContext, name: string, actual: Json, at: string): void {
  const known = symbols.get(name);
  if (known === actual) return;
  if (known === undefined ? !Number.isInteger(actual) : typeof actual !== typeof known) {
    report(typeDifference(at, `$${name}$`, actual));
    return;
  }
  const other = symbols.nameOf(kindOfSymbol(name), actual);
  if (known === undefined && other === undefined) symbols.bind(name, actual);
  else report({class: 'value', at, real: `$${name}$`, here: other === undefined ? shown(actual) : `$${other}$`});
}

function compareText({symbols, report}: ComparisonContext, expected: string, actual: string, at: string): void {
  const newNames: string[] = [];
  let pattern = '';
  let end = 0;
  for (const match of expected.matchAll(placeholder)) {
    const {symbol, type, part} = match.groups ?? {};
    pattern += literalPattern(expected.slice(end, match.index));
    pattern += symbol === undefined ? (patternInText[type ?? part ?? ''] ?? '') : symbolPattern(symbol);
    end = match.index + match[0].length;
  }
  const found = new RegExp(`^${pattern}${literalPattern(expected.slice(end))}$`, 's').exec(actual);
  if (found === null) report({class: 'value', at, real: shown(expected, 600), here: shown(actual, 600)});
  for (const [index, name] of newNames.entries()) {
    const value = Number(found?.groups?.[`new${index}`]);
    if (found !== null && symbols.nameOf(kindOfSymbol(name), value) === undefined) symbols.bind(name, value);
  }

  function symbolPattern(name: string): string {
    const known = symbols.get(name);
    if (known !== undefined) return literalPattern(String(known));
    if (newNames.includes(name)) return `\\k<new${newNames.indexOf(name)}>`;
    return `(?<new${newNames.push(name) - 1}>\\d+)`;
  }
}
