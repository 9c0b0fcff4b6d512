/** Inline passes for links: Markdown links, media, bare URLs and linkifiers. */

import {findAutolinks} from './autolink.ts';
import {type InlineParser, type InlinePass, replaceRanges} from './inline-parser.ts';
import {entityPass} from './inline-symbols.ts';
import {findLinkifierMatches} from './linkifier.ts';
import type {ParseContext, UploadKind} from './parse-context.ts';
import {linkTarget} from './safe-url.ts';
import type {InlineToken} from './tokens.ts';

/** A longer link target stays text. This bounds the time that an unclosed `](` takes. */
const maxTarget = 4096;
const maxParens = 32;
const imageFile = /\.(?:avif|bmp|gif|heic|jpe|jpeg|jpg|png|tiff?|webp)$/i;
const audioFile = /\.(?:aac|flac|mp3|wav)$/i;

export const linkPass: InlinePass = (inline, data) => {
  if (!data.includes('](')) return data;
  return replaceBrackets(inline, data, false, (raw, text, target) => {
    const href = linkTarget(inline.restoreAddress(target.href).trim(), inline.context);
    return href === undefined ? undefined : stashLink(inline, raw, text, href, target.title);
  });
};

/**
 * Parses `![alt](url)`: an image if it was uploaded, a link to another uploaded file, and audio of any site. Anything else
 * stays text, in which the URL becomes a link.
 */
export const mediaPass: InlinePass = (inline, data) => {
  if (!data.includes('![') || !data.includes('](')) return data;
  return replaceBrackets(inline, data, true, (raw, text, target) => {
    const href = linkTarget(inline.restoreAddress(target.href).trim(), inline.context);
    if (href === undefined) return undefined;
    const alt = inline.restore(text);
    if (audioFile.test(href.replace(/[?#].*$/s, ''))) return inline.stash(raw, {type: 'audio', alt, href});
    const kind = uploadKind(href, inline.context);
    if (kind === 'image') return inline.stash(raw, {type: 'image', alt, href});
    return kind === 'file' ? stashLink(inline, raw, text, href, target.title) : undefined;
  });
};

/** The path of an upload as servers assign it, with a random part: `/user_uploads/2/ab/kT9…x/plan.pdf`. */
const assignedPath = /^\/user_uploads\/\w+\/(?:[0-9a-f]{1,2}\/)?[\w-]{16,}\/[^/]+$/;

/** Returns the kind of an upload; a client judges it by its path. */
function uploadKind(href: string, {uploadKind: known}: ParseContext): UploadKind | undefined {
  const path = `/${href.replace(/^\//, '').replace(/[?#].*$/s, '')}`;
  if (!path.startsWith('/user_uploads/')) return undefined;
  if (known !== undefined) return known(path);
  if (!assignedPath.test(path)) return undefined;
  return imageFile.test(path) ? 'image' : 'file';
}

function stashLink(inline: InlineParser, raw: string, text: string, href: string, title: string | undefined): string {
  const shown = text.trim() === '' ? href : text;
  // No later pass applies to a link's text, because a linkifier match would split the link; only references are decoded.
  return inline.stashNested(raw, entityPass(inline, shown, 0), 'atomic', (children) => ({
    type: 'link',
    href,
    title,
    bare: false,
    children,
  }));
}

type InlineLinkTarget = {href: string; title: string | undefined; end: number};

function replaceBrackets(
  inline: InlineParser,
  data: string,
  image: boolean,
  replace: (raw: string, text: string, target: InlineLinkTarget) => string | undefined,
): string {
  const closes = matchingBrackets(data);
  let out = '';
  let last = 0;
  for (let open = data.indexOf('['); open >= 0; open = data.indexOf('[', Math.max(open + 1, last))) {
    if ((data[open - 1] === '!') !== image) continue;
    const close = closes.get(open);
    const target = close === undefined ? undefined : readTarget(inline, data, close + 1);
    if (close === undefined || target === undefined) continue;
    const start = image ? open - 1 : open;
    const replacement = replace(data.slice(start, target.end), data.slice(open + 1, close), target);
    if (replacement === undefined) continue;
    out += data.slice(last, start) + replacement;
    last = target.end;
  }
  return out + data.slice(last);
}

/** Maps the position of each `[` to the position of its closing `]`. */
function matchingBrackets(data: string): Map<number, number> {
  const closes = new Map<number, number>();
  const open: number[] = [];
  for (const {0: bracket, index} of data.matchAll(/[[\]]/g)) {
    if (bracket === '[') open.push(index);
    else {
      const start = open.pop();
      if (start !== undefined) closes.set(start, index);
    }
  }
  return closes;
}

const angleTarget = /\(\s*<([^<>]{0,4096})>\s*(?:('[^']{0,4096}'|"[^"]{0,4096}")\s*)?\)/y;

/** Reads `(url)`, `(url "title")` or `(<url> "title")`. Parentheses inside the URL must be paired. */
function readTarget(inline: InlineParser, data: string, start: number): InlineLinkTarget | undefined {
  if (data[start] !== '(') return undefined;
  angleTarget.lastIndex = start;
  const angle = angleTarget.exec(data);
  if (angle !== null) {
    const title = angle[2]?.slice(1, -1);
    return {href: (angle[1] ?? '').trim(), title: cleanTitle(inline, title), end: angleTarget.lastIndex};
  }
  const limit = Math.min(data.length, start + maxTarget);
  let quote = -1;
  let depth = 1;
  let plainEnd: number | undefined;
  for (let i = start + 1; i < limit && plainEnd === undefined; i++) {
    const character = data[i];
    if (character === '(' && ++depth > maxParens) return undefined;
    if (character === ')' && --depth === 0) plainEnd = i;
    else if (quote < 0 && (character === '"' || character === "'")) quote = i;
  }
  const titled = quote < 0 ? undefined : titledTarget(inline, data, start, quote, limit);
  if (titled !== undefined) return titled;
  if (plainEnd === undefined) return undefined;
  return {href: data.slice(start + 1, plainEnd), title: undefined, end: plainEnd + 1};
}

function titledTarget(
  inline: InlineParser,
  data: string,
  start: number,
  quote: number,
  limit: number,
): InlineLinkTarget | undefined {
  const mark = data[quote];
  for (let end = data.indexOf(')', quote); end >= 0 && end < limit; end = data.indexOf(')', end + 1)) {
    let last = end - 1;
    while (data[last] === ' ') last--;
    if (last <= quote || data[last] !== mark) continue;
    const title = cleanTitle(inline, data.slice(quote + 1, last));
    return {href: data.slice(start + 1, quote), title, end: end + 1};
  }
  return undefined;
}

function cleanTitle(inline: InlineParser, title: string | undefined): string | undefined {
  return title === undefined ? undefined : inline.restoreAddress(title).trim().replace(/\s/g, ' ');
}

export const autolinkPass: InlinePass = (inline, data) =>
  replaceRanges(data, findAutolinks(data), ({text}) => {
    const href = linkTarget(inline.restore(text), inline.context);
    return href === undefined ? inline.stashText(text) : stashBareLink(inline, text, href);
  });

function stashBareLink(inline: InlineParser, text: string, href: string): string {
  const wrap = (children: InlineToken[]): InlineToken => ({type: 'link', href, title: undefined, bare: true, children});
  return inline.stashNested(text, entityPass(inline, text, 0), 'atomic', wrap);
}

export const linkifierPass: InlinePass = (inline, data) =>
  (inline.context.linkifiers ?? []).reduce(
    (text, linkifier) =>
      replaceRanges(text, findLinkifierMatches(text, linkifier), (match) => {
        const href = linkTarget(inline.restore(match.url), inline.context);
        return href === undefined ? undefined : stashBareLink(inline, match.text, href);
      }),
    data,
  );
