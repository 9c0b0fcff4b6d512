import {RE2JS} from 're2js';
import {findAutolinks} from './autolink.ts';
import {LinkifierProgram} from './linkifier-program.ts';
import {LinkifierSearch} from './linkifier-search.ts';
import {compileUrlTemplate, type TemplateVariables} from './linkifier-template.ts';

/** A linkifier as an organization stores it. */
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
  /** Every match contains this text: a cheap reason not to search. */
  literal: string;
  /** Undefined when the pattern is none. Made when first asked for: that takes long, and most texts give no reason to. */
  searcher: () => Searcher | undefined;
};

type Searcher = {
  search: LinkifierSearch;
  /** The named groups of the pattern and their numbers. */
  groups: readonly (readonly [name: string, group: number])[];
};

export type LinkifierMatch = {start: number; end: number; text: string; url: string};

const before = `(^|\\s|\\x{85}|\\pZ|['"(,:<])`;
const after = '($|[^\\pL\\pN])';
/** The number of the group around the pattern; the pattern's own come after it. */
const whole = 2;

/** Undefined when the template is not valid. A pattern that is not finds nothing. */
export function compileLinkifier(source: LinkifierDefinition): CompiledLinkifier | undefined {
  try {
    return {
      source,
      urlOf: compileUrlTemplate(source.urlTemplate),
      literal: prefix(source.pattern),
      searcher: madeOnce(() => searcherFor(source.pattern)),
    };
  } catch {
    return undefined;
  }
}

function madeOnce<T>(make: () => T): () => T {
  let made: {value: T} | undefined;
  return () => {
    made ??= {value: make()};
    return made.value;
  };
}

function searcherFor(pattern: string): Searcher | undefined {
  try {
    // Alone as well: `a)|(b` is a pattern only between parentheses.
    RE2JS.compile(pattern);
    const bounded = boundedPattern(pattern);
    const groups = Object.entries(bounded.namedGroups());
    return {search: new LinkifierSearch(new LinkifierProgram(bounded)), groups};
  } catch {
    return undefined;
  }
}

/** The pattern between what may stand before and after it. */
export function boundedPattern(pattern: string): RE2JS {
  return RE2JS.compile(`${before}(${pattern})${after}`);
}

/** The literal text a pattern starts with. An alternative or a repetition may make it optional, so then there is none. */
function prefix(pattern: string): string {
  if (pattern.includes('|')) return '';
  const literal = /^[\w#@!~,:;/ -]*/.exec(pattern)?.[0] ?? '';
  return /[?*{+]/.test(pattern[literal.length] ?? '') ? literal.slice(0, -1) : literal;
}

/** Matches from left to right that do not overlap. The right delimiter of one may be the left one of the next. */
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

/** Links in a topic's name: linkifiers in order of precedence, then bare URLs, none overlapping an earlier one. */
export function topicLinks(topic: string, linkifiers: readonly CompiledLinkifier[]): TopicLink[] {
  const taken: {start: number; end: number; link: TopicLink}[] = [];
  const take = (start: number, end: number, link: TopicLink): void => {
    if (!taken.some((other) => start < other.end && other.start < end)) taken.push({start, end, link});
  };
  for (const linkifier of linkifiers) {
    for (const {start, end, text, url} of findLinkifierMatches(topic, linkifier))
      take(start, end, {text, url});
  }
  for (const piece of topic.matchAll(/[^ !;),'"]+/g)) {
    const match = findAutolinks(piece[0])[0];
    if (match === undefined) continue;
    const start = piece.index + match.start;
    take(start, piece.index + match.end, {text: match.text, url: topicUrl(match.text)});
  }
  return taken.sort((a, b) => a.start - b.start).map(({link}) => link);
}

function topicUrl(text: string): string {
  if (/^[a-z][a-z0-9+.-]*:/i.test(text)) return text;
  return text.includes('@') ? `mailto:${text}` : `https://${text}`;
}
