import {RE2JS} from 're2js';
import {parseTemplate} from 'url-template';
import {errorText} from '#std/error-text.ts';
import {type CompiledLinkifier, compileLinkifier, findLinkifierMatches, type LinkifierDefinition} from './linkifier.ts';

/** Returns the error message for an invalid linkifier, or undefined when it is valid. */
export function linkifierProblem(
  linkifier: LinkifierDefinition,
  others: readonly LinkifierDefinition[] = [],
): string | undefined {
  return (
    patternProblem(linkifier.pattern) ??
    templatesProblem(linkifier) ??
    (others.some((other) => other.pattern === linkifier.pattern) ? 'This linkifier already exists.' : undefined) ??
    exampleProblem(linkifier)
  );
}

function patternProblem(pattern: string): string | undefined {
  if (pattern === '') return 'The pattern is empty.';
  try {
    RE2JS.compile(pattern);
    return undefined;
  } catch (error) {
    return `Bad regular expression: ${errorText(error)}`;
  }
}

function templatesProblem(linkifier: LinkifierDefinition): string | undefined {
  const groups = new Set(Object.keys(RE2JS.compile(linkifier.pattern).namedGroups()));
  const alternatives = linkifier.alternativeUrlTemplates ?? [];
  const templates = [linkifier.urlTemplate, ...alternatives];
  if (new Set(templates).size !== templates.length) return 'URL templates must differ from each other.';
  for (const template of templates) {
    const names = templateVariables(template);
    if (names === undefined) return 'Invalid URL template.';
    for (const name of groups) {
      if (!names.has(name)) return `Group '${name}' in linkifier pattern is not present in URL template.`;
    }
    for (const name of names) {
      if (!groups.has(name)) return `Group '${name}' in URL template is not present in linkifier pattern.`;
    }
  }
  return undefined;
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

function exampleProblem(linkifier: LinkifierDefinition): string | undefined {
  const {exampleInput, reverseTemplate} = linkifier;
  if (exampleInput === undefined || exampleInput === null || exampleInput === '') {
    return reverseTemplate ? 'A reverse template needs an example input.' : undefined;
  }
  const match = RE2JS.compile(`^(?:${linkifier.pattern})$`).matcher(exampleInput);
  if (!match.find()) return 'The example input does not match the pattern.';
  if (!reverseTemplate) return undefined;
  const groups: Record<string, string> = {};
  for (const name of Object.keys(RE2JS.compile(linkifier.pattern).namedGroups())) {
    groups[name] = match.group(name) ?? '';
  }
  const rebuilt = expandReverse(reverseTemplate, groups);
  return rebuilt === exampleInput ? undefined : 'The reverse template does not give back the example input.';
}

/** Expands `{name}`; `{{` and `}}` are literal braces. Undefined when a variable is unknown or a brace is unpaired. */
export function expandReverse(template: string, groups: Readonly<Record<string, string>>): string | undefined {
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
    parseTemplate(template);
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
