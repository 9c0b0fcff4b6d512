import {RE2JS} from 're2js';
import {errorText} from '#std/error-text.ts';
import {
  type CompiledLinkifier,
  compileLinkifier,
  findLinkifierMatches,
  type LinkifierDefinition,
  withUniqueNames,
} from './linkifier.ts';

/** Why a linkifier is invalid, in the words of Zulip's servers, and the part of it that should be changed. */
export interface LinkifierProblem {
  readonly field: keyof LinkifierDefinition;
  readonly text: string;
}

const problemAt = (field: LinkifierProblem['field'], text: string): LinkifierProblem => ({field, text});

/** Returns why a linkifier is invalid, or undefined when it is valid. */
export function linkifierProblem(
  linkifier: LinkifierDefinition,
  others: readonly LinkifierDefinition[] = [],
): LinkifierProblem | undefined {
  const isTaken = others.some((other) => other.pattern === linkifier.pattern);
  return (
    patternProblem(linkifier.pattern) ??
    templatesProblem(linkifier) ??
    (isTaken ? problemAt('pattern', 'Realm filter with this Realm and Pattern already exists.') : undefined) ??
    exampleProblem(linkifier)
  );
}

/** The text for a required field that is empty. */
export const blankText = 'This field cannot be blank.';

function patternProblem(pattern: string): LinkifierProblem | undefined {
  if (pattern === '') return problemAt('pattern', blankText);
  try {
    RE2JS.compile(withUniqueNames(pattern));
    return undefined;
  } catch (error) {
    return problemAt('pattern', `Bad regular expression: ${serverWords(errorText(error))}`);
  }
}

/** The beginnings of RE2JS's sentences, and what RE2 says instead. */
const re2Words: readonly (readonly [string, string])[] = [
  ['missing closing ', 'missing '],
  ['missing argument to repetition operator', 'no argument for repetition operator'],
  ['invalid nested repetition operator', 'bad repetition operator'],
  ['invalid repeat count', 'invalid repetition size'],
  ['invalid or unsupported Perl syntax', 'invalid perl operator'],
  ['invalid named capture', 'invalid named capture group'],
  ['trailing backslash at end of expression', 'trailing \\'],
];

/** Returns the sentence about a pattern in the words of Zulip's servers, which use RE2 itself. */
function serverWords(text: string): string {
  const words = text.replace(/^error parsing regexp: /, '').replace(/^(.*): `(.*)`$/s, '$1: $2');
  const [found, replacement] = re2Words.find(([beginning]) => words.startsWith(beginning)) ?? ['', ''];
  return replacement + words.slice(found.length);
}

function templatesProblem(linkifier: LinkifierDefinition): LinkifierProblem | undefined {
  const groups = new Set(Object.keys(RE2JS.compile(withUniqueNames(linkifier.pattern)).namedGroups()));
  const {urlTemplate, alternativeUrlTemplates: alternatives = []} = linkifier;
  if (urlTemplate === '') return problemAt('urlTemplate', blankText);
  const main = templateProblem(urlTemplate, groups, 'URL template');
  if (main !== undefined) return problemAt('urlTemplate', main);
  for (const template of alternatives) {
    const text = templateProblem(template, groups, 'alternative URL template');
    if (text !== undefined) return problemAt('alternativeUrlTemplates', text);
  }
  return new Set([urlTemplate, ...alternatives]).size === alternatives.length + 1
    ? undefined
    : problemAt('alternativeUrlTemplates', 'URL templates must differ from each other.');
}

/** Every group of the pattern must be a variable of the template, and the other way round. */
function templateProblem(template: string, groups: ReadonlySet<string>, what: string): string | undefined {
  const names = templateVariables(template);
  if (names === undefined) return `Invalid ${what}.`;
  const [unknown] = names.difference(groups);
  if (unknown !== undefined) return `Group '${unknown}' in ${what} is not present in linkifier pattern.`;
  const [unused] = groups.difference(names);
  return unused === undefined ? undefined : `Group '${unused}' in linkifier pattern is not present in ${what}.`;
}

/** Returns the names of the variables in an RFC 6570 template; undefined when it is malformed. */
export function templateVariables(template: string): Set<string> | undefined {
  const literal = template.replace(/\{[^{}]*\}/g, '');
  if (/[{}]/.test(literal)) return undefined;
  const names = new Set<string>();
  for (const [, body = ''] of template.matchAll(/\{([^{}]*)\}/g)) {
    const expression = /^[+#./;?&]?((?:[A-Za-z0-9_.%]+(?:\*|:\d{1,4})?)(?:,[A-Za-z0-9_.%]+(?:\*|:\d{1,4})?)*)$/.exec(
      body,
    );
    if (expression === null) return undefined;
    for (const variable of (expression[1] ?? '').split(',')) names.add(variable.replace(/[*:].*$/, ''));
  }
  return names;
}

function exampleProblem(linkifier: LinkifierDefinition): LinkifierProblem | undefined {
  const {exampleInput, reverseTemplate} = linkifier;
  if (exampleInput === undefined || exampleInput === null || exampleInput === '') {
    const text = 'Example text is required when auto-conversion field is set.';
    return reverseTemplate ? problemAt('exampleInput', text) : undefined;
  }
  const match = RE2JS.compile(`^(?:${withUniqueNames(linkifier.pattern)})$`).matcher(exampleInput);
  if (!match.find()) return problemAt('exampleInput', 'Example input does not match the linkifier pattern.');
  if (!reverseTemplate) return undefined;
  const groups: Record<string, string> = {};
  for (const name of Object.keys(RE2JS.compile(withUniqueNames(linkifier.pattern)).namedGroups())) {
    groups[name] = match.group(name) ?? '';
  }
  const rebuilt = expandReverse(reverseTemplate, groups);
  const text = 'Example text does not match auto-conversion field.';
  return rebuilt === exampleInput ? undefined : problemAt('reverseTemplate', text);
}

/** Expands `{name}`; `{{` and `}}` are literal braces. Undefined when a variable is unknown or a brace is unpaired. */
function expandReverse(template: string, groups: Readonly<Record<string, string>>): string | undefined {
  let known = true;
  const text = template.replace(/\{\{|\}\}|\{(\w+)\}|[{}]/g, (part, name: string | undefined) => {
    if (part === '{{' || part === '}}') return part.slice(1);
    if (name !== undefined && Object.hasOwn(groups, name)) return groups[name] ?? '';
    known = false;
    return '';
  });
  return known ? text : undefined;
}

/** Returns the short form of a pasted URL, when a linkifier would turn that short form back into this URL. */
export function reverseLinkify(url: string, linkifiers: readonly CompiledLinkifier[]): string | undefined {
  for (const {source} of linkifiers) {
    if (!source.reverseTemplate) continue;
    for (const template of [source.urlTemplate, ...(source.alternativeUrlTemplates ?? [])]) {
      const groups = matchTemplate(template, url);
      const text = groups === undefined ? undefined : expandReverse(source.reverseTemplate, groups);
      if (text !== undefined && groups !== undefined && expandsTo(source, template, text, url)) return text;
    }
  }
  return undefined;
}

function expandsTo(source: LinkifierDefinition, template: string, text: string, url: string): boolean {
  const compiled = compileLinkifier({...source, urlTemplate: template});
  const match = compiled === undefined ? undefined : findLinkifierMatches(text, compiled)[0];
  return match !== undefined && match.text === text && match.url === url;
}

/** Returns the values for which `template` expands to `url`. Only `{+name}` matches values with separators. */
function matchTemplate(template: string, url: string): Record<string, string> | undefined {
  const names: string[] = [];
  let pattern = '^';
  for (const part of template.split(/(\{[^{}]*\})/)) {
    const [, operator = '', list = ''] = /^\{([+#./;?&]?)([^{}]*)\}$/.exec(part) ?? [];
    if (list === '') {
      pattern += RE2JS.quote(part);
      continue;
    }
    for (const name of list.split(',')) {
      names.push(name);
      pattern += valuePattern(operator, name);
    }
  }
  try {
    const match = RE2JS.compile(`${pattern}$`).matcher(url);
    if (!match.find()) return undefined;
    return Object.fromEntries(names.map((name, i) => [name, decodeURIComponent(match.group(i + 1) ?? '')]));
  } catch {
    return undefined; // The template cannot be inverted, or the URL cannot be decoded.
  }
}

function valuePattern(operator: string, name: string): string {
  if (operator === '+') return '(.+)';
  if (operator === '#') return '(?:#(.+))?';
  if (operator === '?' || operator === '&') return `(?:[?&]${RE2JS.quote(name)}=([^&#]*))?`;
  if (operator === '') return '([^/?#&]+)';
  return `(?:${RE2JS.quote(operator)}([^/?#&]+))?`;
}
