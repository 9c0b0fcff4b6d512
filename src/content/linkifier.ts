import {RE2JS} from 're2js';
import {parseTemplate, type Template} from 'url-template';
import {findAutolinks} from './autolink.ts';

/** A linkifier as an organization stores it. */
export type Linkifier = {
  pattern: string;
  urlTemplate: string;
  exampleInput?: string | null;
  reverseTemplate?: string | null;
  alternativeUrlTemplates?: readonly string[];
};

export type CompiledLinkifier = {
  source: Linkifier;
  pattern: RE2JS;
  groups: readonly string[];
  template: Template;
  /** Every match contains this text: a cheap reason not to start the slower engine. */
  literal: string;
};

export type LinkifierMatch = {start: number; end: number; text: string; url: string};

// The `(?P<…>)` groups of the pattern come after these, so numbers of our own groups are fixed: 2 is the match.
const before = `(^|\\s|\\x{85}|\\pZ|['"(,:<])`;
const after = '($|[^\\pL\\pN])';

/** Undefined when the pattern or the template is not valid; such a linkifier does nothing. */
export function compileLinkifier(source: Linkifier): CompiledLinkifier | undefined {
  try {
    const pattern = RE2JS.compile(`${before}(${source.pattern})${after}`);
    const template = parseTemplate(source.urlTemplate);
    return {
      source,
      pattern,
      groups: Object.keys(pattern.namedGroups()),
      template,
      literal: prefix(source.pattern),
    };
  } catch {
    return undefined;
  }
}

/** The literal text a pattern starts with. An alternative or a repetition may make it optional, so then there is none. */
function prefix(pattern: string): string {
  if (pattern.includes('|')) return '';
  const literal = /^[\w#@!~,:;/ -]*/.exec(pattern)?.[0] ?? '';
  return /[?*{+]/.test(pattern[literal.length] ?? '') ? literal.slice(0, -1) : literal;
}

/** Matches from left to right that do not overlap. */
export function findLinkifierMatches(text: string, linkifier: CompiledLinkifier): LinkifierMatch[] {
  const found: LinkifierMatch[] = [];
  if (!text.includes(linkifier.literal)) return found;
  const matcher = linkifier.pattern.matcher(text);
  for (let from = 0; from <= text.length && matcher.find(from); ) {
    const [start, end] = [matcher.start(2), matcher.end(2)];
    const variables: Record<string, string> = {};
    for (const name of linkifier.groups) {
      const value = matcher.group(name);
      if (value !== null) variables[name] = value;
    }
    found.push({start, end, text: text.slice(start, end), url: linkifier.template.expand(variables)});
    // The right delimiter may be the next match's left one.
    from = Math.max(end, from + 1);
  }
  return found;
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
