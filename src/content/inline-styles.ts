/** Inline passes for code spans, bold, italic and strikethrough. */

import {type InlineParser, type InlinePass, replaceMatches} from './inline-parser.ts';
import type {InlineToken, StyledToken} from './tokens.ts';

const strong = /\*\*([^\n]+?)\*\*/g;
const strike = /(?<!~)~~([^~\n]+?)~~(?!~)/g;

export const codePass: InlinePass = (inline, data) => {
  if (!data.includes('`')) return data;
  let out = '';
  let last = 0;
  for (const {start, end, close} of codeSpans(data)) {
    const text = data.slice(end, close);
    const after = close + (end - start);
    out += halvedBackslashes(inline, data.slice(last, start + 1)).slice(0, -1);
    out += inline.stash(data.slice(start, after), {type: 'code_span', text});
    last = after;
  }
  return out + halvedBackslashes(inline, data.slice(last));
};

/** Each pair of backslashes before backticks is one backslash, unless a single one is left. */
function halvedBackslashes(inline: InlineParser, text: string): string {
  return text.replace(/(?<!\\)(?:\\{2})+(?=`)/g, (pairs) => inline.stashText(pairs.slice(pairs.length / 2)));
}

type BacktickRun = {start: number; end: number};

function backtickRuns(data: string): BacktickRun[] {
  return Array.from(data.matchAll(/`+/g), ({0: text, index}) => ({start: index, end: index + text.length}));
}

/**
 * Finds the code spans of a paragraph. Pairs each opening run of backticks with the next run of the same length, or, if
 * there is none, its last ticks with a shorter run.
 */
export function* codeSpans(data: string): Generator<BacktickRun & {close: number}> {
  const runs = backtickRuns(data);
  const later = new Map<number, number[]>();
  for (let i = runs.length - 1; i >= 0; i--) {
    const length = lengthOf(runs[i]);
    const positions = later.get(length);
    if (positions === undefined) later.set(length, [i]);
    else positions.push(i);
  }
  for (let i = 0; i < runs.length; i++) {
    const open = runs[i];
    if (open === undefined || isEscaped(data, open.start)) continue;
    const length = lengthOf(open);
    for (let ticks = length; ticks > 0; ticks--) {
      const positions = later.get(ticks);
      while (positions !== undefined && (positions.at(-1) ?? runs.length) <= i) positions.pop();
      const closeAt = positions?.at(-1);
      const close = closeAt === undefined ? undefined : runs[closeAt];
      if (close === undefined || closeAt === undefined) continue;
      yield {start: open.start, end: open.start + ticks, close: close.start};
      i = closeAt;
      break;
    }
  }
}

/** Returns whether an odd number of backslashes stands before the backticks. */
function isEscaped(data: string, start: number): boolean {
  let slashes = 0;
  while (data[start - 1 - slashes] === '\\') slashes++;
  return slashes % 2 === 1;
}

function lengthOf(run: BacktickRun | undefined): number {
  return run === undefined ? 0 : run.end - run.start;
}

/** A run of stars and the text after it; `text` contains marks for the styles found in it. */
type StarRun = {stars: number; text: string; hasBreak: boolean};

/**
 * Replaces texts between `count` stars by styled tokens, inner ones first: `*can *the**` contains `*the*`. The text has no
 * other stars and no `^` or line break, and no white space at its ends.
 */
function replaceBetweenStars(
  inline: InlineParser,
  data: string,
  count: number,
  style: (raw: string, text: string) => string,
): string {
  const marker = '*'.repeat(count);
  const open: StarRun[] = [];
  let last: StarRun = {stars: 0, text: '', hasBreak: false};
  const append = (text: string): void => {
    last.text += text;
    last.hasBreak ||= /[\n^]/.test(text);
  };
  for (const [run, stars = '', text = ''] of data.matchAll(/(\**)([^*]*)/g)) {
    if (run === '') continue;
    let left = stars.length;
    while (left >= count && last.stars >= count && isBetweenStars(last) && !inline.isTooDeep(last.text)) {
      const styled = style(marker + last.text + marker, last.text);
      left -= count;
      last.stars -= count;
      last.text = '';
      const previous = last.stars === 0 ? open.pop() : undefined;
      if (previous !== undefined) last = previous;
      append(styled);
    }
    if (left > 0) {
      open.push(last);
      last = {stars: left, text: '', hasBreak: false};
    }
    append(text);
  }
  return [...open, last].map((run) => '*'.repeat(run.stars) + run.text).join('');
}

function isBetweenStars({text, hasBreak}: StarRun): boolean {
  return !hasBreak && text !== '' && /\S/.test(text[0] ?? '') && /\S/.test(text.at(-1) ?? '');
}

export const strongEmphasisPass: InlinePass = (inline, data, index) => {
  if (!data.includes('***')) return data;
  return replaceBetweenStars(inline, data, 3, (raw, text) => {
    const emphasis = inline.stashNested(raw, text, index, (children) => ({type: 'emphasis', children}));
    return inline.stashNested(raw, emphasis, 'atomic', (children) => ({type: 'strong', children}));
  });
};

export const emphasisPass: InlinePass = (inline, data, index) => {
  if (!data.includes('*')) return data;
  const wrap = (children: InlineToken[]): InlineToken => ({type: 'emphasis', children});
  return replaceBetweenStars(inline, data, 1, (raw, text) => inline.stashNested(raw, text, index, wrap));
};

function stylePass(marker: string, pattern: RegExp, type: StyledToken['type']): InlinePass {
  return (inline, data, index) => {
    if (!data.includes(marker)) return data;
    return replaceMatches(data, pattern, ([raw, inner = '']) =>
      inline.isTooDeep(inner) ? undefined : inline.stashNested(raw, inner, index, (children) => ({type, children})),
    );
  };
}

export const strongPass = stylePass('**', strong, 'strong');
export const strikePass = stylePass('~~', strike, 'strike');
