import {RE2JS} from 're2js';
import {parseTemplate} from 'url-template';
import {once} from '#std/once.ts';
import {findAutolinks} from './autolink.ts';

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
  bounded: () => RE2JS | undefined;
};

type LinkifierMatch = {start: number; end: number; text: string; url: string};

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
      bounded: once(() => boundedPattern(withUniqueNames(source.pattern))),
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

/** Returns the pattern together with the characters that may precede and follow a match; undefined when it is invalid. */
function boundedPattern(pattern: string): RE2JS | undefined {
  try {
    // The pattern must be valid without the parentheses around it, too: `a)|(b` is not.
    RE2JS.compile(pattern);
    return RE2JS.compile(`${before}(${pattern})${after}`);
  } catch {
    return undefined;
  }
}

/** Returns the literal text that a pattern starts with; empty when an alternative or repetition may make it optional. */
function prefix(pattern: string): string {
  if (pattern.includes('|')) return '';
  const literal = /^[\w#@!~,:;/ -]*/.exec(pattern)?.[0] ?? '';
  return /[?*{+]/.test(pattern[literal.length] ?? '') ? literal.slice(0, -1) : literal;
}

/**
 * The CPU time for one linkifier in one text, in microseconds. With a pattern such as `x(.*y)?` every search reads to the end, so
 * that 10 KB of `x ` would take seconds; other patterns need a tenth of this. What would be found later stays text. CPU time,
 * because a busy machine must not lose links.
 */
const timeLimit = 250_000;

/** No pattern takes long in a shorter text, and asking for the CPU time takes longer than most searches. */
const minTimedLength = 1000;

function cpuTime(): number {
  const {user, system} = process.cpuUsage();
  return user + system;
}

/** Returns the matches from left to right, without overlaps. A character between two matches may delimit both. */
export function findLinkifierMatches(text: string, linkifier: CompiledLinkifier): LinkifierMatch[] {
  const matcher = text.includes(linkifier.literal) ? linkifier.bounded()?.matcher(text) : undefined;
  if (matcher === undefined) return [];
  const names = Object.keys(matcher.namedGroups);
  const matches: LinkifierMatch[] = [];
  const deadline = text.length < minTimedLength ? undefined : cpuTime() + timeLimit;
  const isInTime = () => deadline === undefined || cpuTime() < deadline;
  for (let from = 0; from <= text.length && isInTime() && matcher.find(from); ) {
    const variables: Record<string, string> = {};
    for (const name of names) {
      const value = matcher.group(name);
      if (value !== null) variables[name] = value;
    }
    const [start, end] = [matcher.start(whole), matcher.end(whole)];
    matches.push({start, end, text: text.slice(start, end), url: linkifier.urlOf(variables)});
    from = Math.max(end, from + 1);
  }
  return matches;
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

/**
 * Returns a function that expands an RFC 6570 template. A lone surrogate cannot be encoded, and `{name:3}` splits pairs:
 * then U+FFFD replaces them.
 */
function compileUrlTemplate(text: string): (variables: TemplateVariables) => string {
  const template = parseTemplate(text);
  template.expand({}); // Throws when the text around the variables cannot be encoded.
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
