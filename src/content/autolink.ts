/** Finds bare links in text: URLs, domains, e-mail and bitcoin addresses, by the rules of Zulip's Markdown. */

import {topLevelDomains} from './tlds.ts';

/** Top-level domains that are not linked because they are also file extensions: `views.py` in a chat is a file. */
const fileExtensions = new Set(['java', 'md', 'mov', 'py', 'zip']);
const maxParenDepth = 7;

export type AutolinkMatch = {start: number; end: number; text: string};

/** The top-level domains, split on first use. */
let domains: Set<string> | undefined;

function isTopLevelDomain(label: string): boolean {
  domains ??= new Set(topLevelDomains.trim().split(/\s/));
  return domains.has(label) && !fileExtensions.has(label);
}

// A link may start at the start of the text, after white space, after some opening punctuation, or after a character
// outside ASCII.
const candidate =
  /(?<![^\s'"(,:<\u0080-\u{10ffff}])(?:(?:https?|zotero|hansoft|obsidian|asanadesktop):\/\/[\p{L}\p{N}\p{M}_.:@-]|bitcoin:[13]|[\p{L}\p{N}\p{M}_.-])/gu;
const domainRun = /[\p{L}\p{N}\p{M}_.:@-]*/uy;
const hostRun = /[\p{L}\p{N}\p{M}_.-]*/uy;
const space = /\s/g;
const trailing = /[!:;?),.'">]/;
const bitcoinAddress = /bitcoin:[13][a-km-zA-HJ-NP-Z1-9]{25,34}/y;
const emailAddress = /[\p{L}\p{N}\p{M}_.-]+@[\p{L}\p{N}\p{M}_.-]+\.[\p{L}\p{N}\p{M}_]+/uy;

/** Returns every bare URL, domain, e-mail and bitcoin address in `text` from left to right, in one pass. */
export function findAutolinks(text: string): AutolinkMatch[] {
  const matches: AutolinkMatch[] = [];
  if (!/\S\.\S|:\/\/|bitcoin:/.test(text)) return matches;
  let word: WordBounds = {end: 0, tail: 0};
  candidate.lastIndex = 0;
  for (let match = candidate.exec(text); match !== null; match = candidate.exec(text)) {
    const start = match.index;
    // All starts inside a word share its end. Searching for the end each time would take quadratic time on a long word.
    if (start >= word.end) word = wordAt(text, start);
    const end = linkEnd(text, start, match[0], word);
    if (end !== undefined) {
      matches.push({start, end, text: text.slice(start, end)});
      candidate.lastIndex = end;
    } else {
      candidate.lastIndex = nextCandidate(text, start);
    }
  }
  return matches;
}

// When a host does not match, it does not match from any of its later letters either; only a scheme that follows a
// letter outside ASCII can start inside it.
const schemeInside = /(?<=[\u0080-\u{10ffff}])(?=[a-z]+:)/gu;

function nextCandidate(text: string, start: number): number {
  const runEnd = start + Math.max(1, (matchAt(hostRun, text, start) ?? '').length);
  schemeInside.lastIndex = start + 1;
  const match = schemeInside.exec(text.slice(0, runEnd + 1));
  return match === null ? runEnd : match.index;
}

type WordBounds = {end: number; tail: number};

/** Returns where the word at `start` ends and where its closing punctuation begins. A link must end between the two. */
function wordAt(text: string, start: number): WordBounds {
  space.lastIndex = start;
  const end = space.exec(text)?.index ?? text.length;
  let tail = end;
  while (tail > start && trailing.test(text[tail - 1] ?? '')) tail--;
  return {end, tail};
}

function linkEnd(text: string, start: number, head: string, word: WordBounds): number | undefined {
  if (head.startsWith('bitcoin:')) {
    const match = matchAt(bitcoinAddress, text, start);
    return match !== undefined && start + match.length >= word.tail ? start + match.length : undefined;
  }
  if (head.includes('://')) {
    const authority = start + head.length - 1;
    const run = authority + (matchAt(domainRun, text, authority) ?? '').length;
    return endWithPath(text, authority + 1, run, word);
  }
  const run = start + (matchAt(hostRun, text, start) ?? '').length;
  return endOfHost(text, start, run, word) ?? endOfEmail(text, start, word);
}

function endOfHost(text: string, start: number, run: number, word: WordBounds): number | undefined {
  let hostEnd = run;
  while (hostEnd > start && text[hostEnd - 1] === '.') hostEnd--;
  const host = text.slice(start, hostEnd);
  const dot = host.lastIndexOf('.');
  if (dot < 1 || host.startsWith('.') || host.includes('..') || !isTopLevelDomain(host.slice(dot + 1)))
    return undefined;
  // After the dots that were cut off only closing punctuation may follow.
  if (hostEnd < run) return hostEnd >= word.tail ? hostEnd : undefined;
  return endWithPath(text, hostEnd, hostEnd, word);
}

function endOfEmail(text: string, start: number, word: WordBounds): number | undefined {
  const match = matchAt(emailAddress, text, start);
  if (match === undefined) return undefined;
  return start + match.length >= word.tail ? Math.max(word.tail, start) : undefined;
}

/** Returns the first end after which the word has only closing punctuation and at which all parentheses are paired. */
function endWithPath(text: string, shortest: number, domainEnd: number, word: WordBounds): number | undefined {
  if (domainEnd >= word.tail) return Math.max(shortest, word.tail);
  const mark = text[domainEnd];
  if (mark !== '/' && mark !== '?') return undefined;
  let depth = 0;
  for (let i = domainEnd + 1; i <= word.end; i++) {
    if (depth === 0 && i >= word.tail) return i;
    const character = text[i];
    if (character === '"') return undefined;
    if (character === '(' && ++depth > maxParenDepth) return undefined;
    if (character === ')' && --depth < 0) return undefined;
  }
  return undefined;
}

function matchAt(pattern: RegExp, text: string, index: number): string | undefined {
  pattern.lastIndex = index;
  return pattern.exec(text)?.[0];
}
