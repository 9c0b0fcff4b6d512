import {spansColumns} from '#content/styled-text/wrap.ts';
import type {Frame} from '#ui/core/frame.ts';
import {fittedLine, leftRightLine, type UiLine, type UiSpan} from '#ui/layout/ui-line.ts';
import {countText} from '#wording/counted-noun.ts';
import {uiGlyphs} from '#wording/ui-glyphs.ts';
import {type ListState, type Split, splits} from './list-state.ts';

const names: Readonly<Record<Split, string>> = {
  all: 'All',
  mentions: '@',
  directs: 'DM',
  followed: 'Followed',
  channels: 'Channels',
  muted: 'Muted',
};

/** Only the chosen tab is spoken, without counts, which change while the user reads. */
const spokenNames: Readonly<Record<Split, string>> = {
  ...names,
  all: 'All conversations, tab 1 of 6',
  mentions: 'Mentions, tab 2 of 6',
  directs: 'Direct messages, tab 3 of 6',
  followed: 'Followed topics, tab 4 of 6',
  channels: 'Channels, tab 5 of 6',
  muted: 'Muted, tab 6 of 6',
};

/** The counts and other texts in a line of tabs. */
interface SplitTabsOptions {
  /** Number of unread messages in each tab; of the tab with mentions, those that mention the user. */
  readonly counts?: Partial<Readonly<Record<Split, number>>>;
  /** The tabs that the topic filter `followed` keeps. */
  readonly followedTabs: readonly Split[];
  /** Text at the right edge, where there is room. */
  readonly right?: readonly UiSpan[];
}

/**
 * Returns the tabs of a list with their keys and counts: ` 1 All  2 @2  3 DM 3 …`. Where space is short,
 * names are shortened and gaps reduced. The topic filter is at the right.
 */
export function splitTabs(
  {display}: Frame,
  {split, topicFilter}: ListState,
  columns: number,
  {counts = {}, followedTabs, right = []}: SplitTabsOptions,
): UiLine {
  if (display.glyphs === 'words') return fittedLine([{text: `  ${spokenNames[split]}`, role: 'tab_active'}], columns);
  const glyphs = uiGlyphs(display);
  const {ellipsis} = glyphs;
  const shortNames = {...names, followed: glyphs.followed, channels: '#'};
  const hasCounts = Object.values(counts).some((count) => count > 0);
  const fullTabs = tabSpans(split, {labels: names, gap: '  ', counts, showsKeys: true});
  // The text keeps one column from the edge, where there is one.
  const between = right.some(({text}) => text.trim() !== '') ? ` ${glyphs.dot}` : ' ';
  const tailOf = (filterText: string) =>
    filterText === '' ? right : [...dimSpans(`${filterText}${between}`), ...right];
  const {full, short: symbolText, brief} = topicFilterTexts(topicFilter, followedTabs, shortNames);
  const hasRoom = spansColumns(fullTabs) + spansColumns(tailOf(full)) + 2 <= columns;
  const filterText = hasRoom ? full : symbolText;
  const tail = tailOf(filterText);
  // Where space is short, digits for keys and counts side by side would be confused.
  const shortTabs = {labels: shortNames, counts: {...counts, muted: 0}, showsKeys: !hasCounts};
  const isWide = spansColumns(fullTabs) + spansColumns(tail) + (tail.length === 0 ? 0 : 2) <= columns;
  const left = isWide ? fullTabs : tabSpans(split, {...shortTabs, gap: hasCounts ? '  ' : ' '});
  // The topic filter matters more than the progress, and a cut word says nothing.
  const end = [tail, dimSpans(filterText)].find((one) => spansColumns(left) + 1 + spansColumns(one) <= columns);
  return end === undefined
    ? leftRightLine(tabSpans(split, {...shortTabs, gap: ' '}), dimSpans(brief), columns, {ellipsis})
    : leftRightLine(left, end, columns, {ellipsis});
}

const followedOnlyTexts: Readonly<Partial<Record<Split, string>>> = {
  mentions: 'mentions',
  directs: 'DMs',
  followed: 'followed',
};

/** Returns the texts for the topic filter: in words, by the tabs' symbols, or only that there is one. */
function topicFilterTexts(
  topicFilter: ListState['topicFilter'],
  followedTabs: readonly Split[],
  symbols: Readonly<Record<Split, string>>,
): Readonly<Record<'full' | 'short' | 'brief', string>> {
  switch (topicFilter) {
    case 'standard':
      return {full: '', short: '', brief: ''};
    case 'all':
      return {full: 'all topics', short: 'all topics', brief: 'all'};
    case 'followed':
      return {
        full: `only ${followedTabs.map((name) => followedOnlyTexts[name] ?? names[name]).join(', ')}`,
        short: `only ${followedTabs.map((name) => symbols[name]).join(' ')}`,
        brief: 'filtered',
      };
  }
}

function dimSpans(text: string): readonly UiSpan[] {
  return text === '' ? [] : [{text, role: 'dim'}];
}

interface TabOptions {
  readonly labels: Readonly<Record<Split, string>>;
  readonly gap: string;
  readonly counts: Partial<Readonly<Record<Split, number>>>;
  /** Whether each tab shows the digit that chooses it. */
  readonly showsKeys: boolean;
}

function tabSpans(active: Split, {labels, gap, counts, showsKeys}: TabOptions): readonly UiSpan[] {
  return splits.flatMap((name, at): UiSpan[] => {
    const count = counts[name] ?? 0;
    return [
      {text: gap, role: 'text'},
      {text: showsKeys ? `${at + 1} ` : '', role: 'dim'},
      {
        text: `${labels[name]}${count > 0 ? `${name === 'mentions' ? '' : ' '}${countText(count)}` : ''}`,
        role: name === active ? 'tab_active' : 'tab',
      },
    ];
  });
}
