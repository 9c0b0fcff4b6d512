import type {Frame} from '#app/core/frame.ts';
import {uiGlyphs} from '#app/format/ui-glyphs.ts';
import {leftRightLine, type UiLine, type UiSpan} from '#app/layout/ui-line.ts';
import {spansColumns} from '#content/styled-text/wrap.ts';
import type {ListState, Split} from './list-state.ts';
import {splits} from './list-state.ts';

const names: Readonly<Record<Split, string>> = {
  all: 'All',
  mentions: '@',
  directs: 'DM',
  followed: 'Followed',
  channels: 'Channels',
  muted: 'Muted',
};

/** What else a line of tabs says, and about which list. */
export interface SplitTabsOptions {
  /** How many there are in each. */
  readonly counts?: Partial<Readonly<Record<Split, number>>>;
  /** What `followed` lets through, by the tabs that have it. */
  readonly close: readonly Split[];
  /** At the right edge, where there is room. */
  readonly right?: readonly UiSpan[];
}

/**
 * The splits of a list with their keys and, where they count something, how much: ` 1 All  2 @ 2  3 DM 3 …`; with
 * shorter names, and closer together, where there is not room for all of it. At the right is what the list is limited to.
 */
export function splitTabs(
  {display: looks}: Frame,
  {split, topicFilter: reach}: ListState,
  columns: number,
  {counts = {}, close, right = []}: SplitTabsOptions,
): UiLine {
  const glyphs = uiGlyphs(looks);
  const {ellipsis} = glyphs;
  const shortNames = {...names, followed: glyphs.followed, channels: '#'};
  const isCounting = Object.values(counts).some((count) => count > 0);
  const whole = tabSpans(split, {words: names, gap: '  ', counts, isKeyed: true});
  // Words keep a column from the edge, where there is one.
  const between = right.some(({text}) => text.trim() !== '') ? ` ${glyphs.dot}` : ' ';
  const tailOf = (said: string) => (said === '' ? right : [...quiet(`${said}${between}`), ...right]);
  const {full, said: signs, brief} = topicFilterTexts(reach, close, shortNames);
  const hasRoom = spansColumns(whole) + spansColumns(tailOf(full)) + 2 <= columns;
  const said = hasRoom ? full : signs;
  const tail = tailOf(said);
  // Where room is short, keys and counts side by side would be taken for each other.
  const short = {words: shortNames, counts: {...counts, muted: 0}, isKeyed: !isCounting};
  const isWide = spansColumns(whole) + spansColumns(tail) + (tail.length === 0 ? 0 : 2) <= columns;
  const left = isWide ? whole : tabSpans(split, {...short, gap: isCounting ? '  ' : ' '});
  // What is shown matters more than how far one is; half a word says nothing.
  const end = [tail, quiet(said)].find((one) => spansColumns(left) + 1 + spansColumns(one) <= columns);
  return end === undefined
    ? leftRightLine(tabSpans(split, {...short, gap: ' '}), quiet(brief), columns, {ellipsis})
    : leftRightLine(left, end, columns, {ellipsis});
}

const followedOnlyTexts: Readonly<Partial<Record<Split, string>>> = {
  mentions: 'mentions',
  directs: 'DMs',
  followed: 'followed',
};

/** What a list is limited to: in words, by the signs of its tabs, or only that it is. */
function topicFilterTexts(
  reach: ListState['topicFilter'],
  close: readonly Split[],
  signs: Readonly<Record<Split, string>>,
): Readonly<Record<'full' | 'said' | 'brief', string>> {
  switch (reach) {
    case 'standard':
      return {full: '', said: '', brief: ''};
    case 'all':
      return {full: 'all topics', said: 'all topics', brief: 'all'};
    case 'followed':
      return {
        full: `only ${close.map((name) => followedOnlyTexts[name] ?? names[name]).join(', ')}`,
        said: `only ${close.map((name) => signs[name]).join(' ')}`,
        brief: 'filtered',
      };
  }
}

function quiet(text: string): readonly UiSpan[] {
  return text === '' ? [] : [{text, role: 'dim'}];
}

interface TabOptions {
  readonly words: Readonly<Record<Split, string>>;
  readonly gap: string;
  readonly counts: Partial<Readonly<Record<Split, number>>>;
  /** The number that chooses it stands before each. */
  readonly isKeyed: boolean;
}

function tabSpans(active: Split, {words, gap, counts, isKeyed}: TabOptions): readonly UiSpan[] {
  return splits.flatMap((name, at): UiSpan[] => {
    const count = counts[name] ?? 0;
    return [
      {text: gap, role: 'text'},
      {text: isKeyed ? `${at + 1} ` : '', role: 'dim'},
      {text: `${words[name]}${count > 0 ? ` ${count}` : ''}`, role: name === active ? 'tab_active' : 'tab'},
    ];
  });
}
