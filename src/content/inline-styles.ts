/** Inline passes for code spans, bold, italic and strikethrough. */

import {type InlinePass, replaceMatches} from './inline-parser.ts';
import type {StyledToken} from './tokens.ts';

const strongEmphasis = /\*\*\*(?!\s)([^*^\n]+)(?<!\s)\*\*\*/g;
const strong = /\*\*([^\n]+?)\*\*/g;
const emphasis = /\*(?!\s)([^*^\n]+)(?<!\s)\*/g;
const strike = /(?<!~)~~([^~\n]+?)~~(?!~)/g;

export const codePass: InlinePass = (inline, data) => {
  if (!data.includes('`')) return data;
  const runs = backtickRuns(data);
  let out = '';
  let last = 0;
  for (const {start, end, close} of codeSpans(data, runs)) {
    const text = data.slice(end, close);
    const after = close + (end - start);
    out += data.slice(last, start) + inline.stash(data.slice(start, after), {type: 'code_span', text});
    last = after;
  }
  return out + data.slice(last);
};

type BacktickRun = {start: number; end: number};

function backtickRuns(data: string): BacktickRun[] {
  return Array.from(data.matchAll(/`+/g), ({0: text, index}) => ({start: index, end: index + text.length}));
}

/** Pairs each opening run with the next run of the same length, or, if there is none, its last ticks with a shorter run. */
function* codeSpans(data: string, runs: readonly BacktickRun[]): Generator<BacktickRun & {close: number}> {
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

export const strongEmphasisPass: InlinePass = (inline, data, index) => {
  if (!data.includes('***')) return data;
  return replaceMatches(data, strongEmphasis, ([raw, inner = '']) =>
    inline.stashNested(raw, inner, index, (children) => ({
      type: 'strong',
      children: [{type: 'emphasis', children}],
    })),
  );
};

function stylePass(marker: string, pattern: RegExp, type: StyledToken['type']): InlinePass {
  return (inline, data, index) => {
    if (!data.includes(marker)) return data;
    return replaceMatches(data, pattern, ([raw, inner = '']) =>
      inline.stashNested(raw, inner, index, (children) => ({type, children})),
    );
  };
}

export const strongPass = stylePass('**', strong, 'strong');
export const emphasisPass = stylePass('*', emphasis, 'emphasis');
export const strikePass = stylePass('~~', strike, 'strike');
