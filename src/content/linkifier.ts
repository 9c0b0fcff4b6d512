import {RE2JS} from 're2js';
import {parseTemplate} from 'url-template';
import {findAutolinks} from './autolink.ts';
import {LinkifierProgram} from './linkifier-program.ts';
import {LinkifierSearch} from './linkifier-search.ts';

/** A linkifier as an organization stores it: a pattern such as `#(?P<id>[0-9]+)` and the URL that its matches link to. */
export type LinkifierDefinition = {
  pattern: string;
  urlTemplate: string;
  exampleInput?: string | null | undefined;
  reverseTemplate?: string | null | undefined;
  alternativeUrlTemplates?: readonly string[] | undefined;
};

export type CompiledLinkifier = {
  source: LinkifierDefinition;
  urlOf: (variables: TemplateVariables) => string;
  /** A text that every match contains, to skip other texts without a search. May be empty. */
  literal: string;
  /** Returns undefined when the pattern is invalid. Created on first use, because compiling is slow and rarely needed. */
  searcher: () => Searcher | undefined;
};

type Searcher = {
  search: LinkifierSearch;
  /** The named groups of the pattern with their numbers. */
  groups: readonly (readonly [name: string, group: number])[];
};

export type LinkifierMatch = {start: number; end: number; text: string; url: string};

const before = `(^|\\s|\\x{85}|\\pZ|['"(,:<])`;
const after = '($|[^\\pL\\pN])';
/** The number of the group around the whole pattern; the pattern's own groups come after it. */
const whole = 2;

/** Compiles a linkifier; undefined when its template is invalid. An invalid pattern matches nothing. */
export function compileLinkifier(source: LinkifierDefinition): CompiledLinkifier | undefined {
  try {
    return {
      source,
      urlOf: compileUrlTemplate(source.urlTemplate),
      literal: prefix(source.pattern),
      searcher: once(() => searcherFor(withUniqueNames(source.pattern))),
    };
  } catch {
    return undefined;
  }
}

/** Returns the pattern with a name for the first group of each name only: RE2 takes several, RE2JS does not. */
export function withUniqueNames(pattern: string): string {
  const seen = new Set<string>();
  return pattern.replace(/\\.|\(\?P?<(\w+)>/gs, (text: string, name: string | undefined) => {
    if (name === undefined) return text;
    if (seen.has(name)) return '(';
    seen.add(name);
    return text;
  });
}

function once<T>(create: () => T): () => T {
  let cached: {value: T} | undefined;
  return () => {
    cached ??= {value: create()};
    return cached.value;
  };
}

function searcherFor(pattern: string): Searcher | undefined {
  try {
    // The pattern must be valid without the parentheses around it, too: `a)|(b` is not.
    RE2JS.compile(pattern);
    const bounded = boundedPattern(pattern);
    const groups = Object.entries(bounded.namedGroups());
    return {search: new LinkifierSearch(new LinkifierProgram(bounded)), groups};
  } catch {
    return undefined;
  }
}

/** Returns the pattern together with the characters that may precede and follow a match. */
export function boundedPattern(pattern: string): RE2JS {
  return RE2JS.compile(`${before}(${pattern})${after}`);
}

/** Returns the literal text that a pattern starts with; empty when an alternative or repetition may make it optional. */
function prefix(pattern: string): string {
  if (pattern.includes('|')) return '';
  const literal = /^[\w#@!~,:;/ -]*/.exec(pattern)?.[0] ?? '';
  return /[?*{+]/.test(pattern[literal.length] ?? '') ? literal.slice(0, -1) : literal;
}

/** Returns the matches from left to right, without overlaps. A character between two matches may delimit both. */
export function findLinkifierMatches(text: string, linkifier: CompiledLinkifier): LinkifierMatch[] {
  const searcher = text.includes(linkifier.literal) ? linkifier.searcher() : undefined;
  if (searcher === undefined) return [];
  return searcher.search.matches(text, whole).map((captures) => {
    const [start, end] = [captures[2 * whole] ?? 0, captures[2 * whole + 1] ?? 0];
    const variables: Record<string, string> = {};
    for (const [name, group] of searcher.groups) {
      const [from, to] = [captures[2 * group] ?? -1, captures[2 * group + 1] ?? -1];
      if (from >= 0) variables[name] = text.slice(from, to);
    }
    return {start, end, text: text.slice(start, end), url: linkifier.urlOf(variables)};
  });
}

export type TopicLink = {text: string; url: string};

/** Returns the links in a topic's name: linkifiers in order of precedence, then bare URLs, without overlaps. */
export function topicLinks(topic: string, linkifiers: readonly CompiledLinkifier[]): TopicLink[] {
  const accepted: {start: number; end: number; link: TopicLink}[] = [];
  const add = (start: number, end: number, link: TopicLink): void => {
    if (!accepted.some((other) => start < other.end && other.start < end)) accepted.push({start, end, link});
  };
  for (const linkifier of linkifiers) {
    for (const {start, end, text, url} of findLinkifierMatches(topic, linkifier)) add(start, end, {text, url});
  }
  for (const piece of topic.matchAll(/[^ !;),'"]+/g)) {
    const match = findAutolinks(piece[0])[0];
    if (match === undefined) continue;
    const start = piece.index + match.start;
    add(start, piece.index + match.end, {text: match.text, url: topicUrl(match.text)});
  }
  return accepted.sort((a, b) => a.start - b.start).map(({link}) => link);
}

function topicUrl(text: string): string {
  if (/^[a-z][a-z0-9+.-]*:/i.test(text)) return text;
  return text.includes('@') ? `mailto:${text}` : `https://${text}`;
}

type TemplateVariables = Readonly<Record<string, string>>;

type TemplatePart =
  | string
  | {readonly name: string | undefined; readonly expand: (variables: TemplateVariables) => string};

const parts = /\{([^{}]+)\}|[^{}]+|[{}]/g;
const onlyName = /^[\w.%]+$/;
/** Values whose characters need no encoding anywhere in a URL. */
const unreserved = /^[\w.~-]+$/;

/**
 * Returns a function that expands an RFC 6570 template. The library parses a template at each expansion; here it is split
 * once, and the most common part, a single name with a value that needs no encoding, is expanded without the library.
 */
export function compileUrlTemplate(template: string): (variables: TemplateVariables) => string {
  const templateParts = Array.from(template.matchAll(parts), ([text, expression]): TemplatePart => {
    if (expression === undefined) return parseTemplate(text).expand({});
    return {name: onlyName.test(expression) ? expression : undefined, expand: expander(text)};
  });
  return (variables) => {
    let url = '';
    for (const part of templateParts) {
      if (typeof part === 'string') url += part;
      else {
        const value = part.name === undefined ? undefined : variables[part.name];
        url += value !== undefined && unreserved.test(value) ? value : part.expand(variables);
      }
    }
    return url;
  };
}

/** Expands one expression. A lone surrogate cannot be encoded, and `{name:3}` splits pairs: then U+FFFD replaces them. */
function expander(expression: string): (variables: TemplateVariables) => string {
  const template = parseTemplate(expression);
  return (variables) => {
    try {
      return template.expand({...variables});
    } catch {
      const replaced = Object.entries(variables).map(([name, value]) => [
        name,
        value.replace(/[\ud800-\udfff]+/g, '\ufffd'),
      ]);
      return template.expand(Object.fromEntries(replaced));
    }
  };
}
