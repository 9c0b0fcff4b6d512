import {wrapSpans} from '#content/styled-text/wrap.ts';
import type {Narrow} from '#state/model/narrow.ts';
import type {Timeline} from '#state/model/timeline.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {PaneLine} from '#ui/core/pane-line.ts';
import {blankLine, fittedLine, type UiSpan} from '#ui/layout/ui-line.ts';
import {isOnlySaved} from '#ui/message-pane/timeline-end.ts';
import {emptyTimelineText, lostChannelText} from './empty-timeline-text.ts';
import {labelledRule} from './separators.ts';
import type {Typeset} from './typeset.ts';

/** The keys that retry a failed load, among the messages and in a preview. */
const retryKeys = {
  older: {messages: 'k', preview: 'PageUp'},
  newer: {messages: 'j', preview: 'Space'},
} as const;

/** The lines above the oldest loaded message. */
export function topLines(typeset: Typeset, timeline: Timeline, isPreview: boolean): readonly PaneLine[] {
  if (timeline.loading === 'older') return [labelledRule(typeset, 'loading older', 'date_separator')];
  if (timeline.hasOldest) return [labelledRule(typeset, 'beginning', 'date_separator')];
  const problem = problemLine(typeset, timeline, 'older', isPreview);
  return problem === undefined ? [] : [problem];
}

/** The lines below the newest message. Most views simply end; searches and previews mark the end. */
export function bottomLines(
  typeset: Typeset,
  timeline: Timeline,
  {saysEnd, isPreview}: {readonly saysEnd: boolean; readonly isPreview: boolean},
): readonly PaneLine[] {
  if (timeline.hasNewest) return saysEnd ? [labelledRule(typeset, 'end', 'date_separator')] : [];
  if (timeline.loading === 'newer') return [labelledRule(typeset, 'loading newer', 'date_separator')];
  const problem = problemLine(typeset, timeline, 'newer', isPreview);
  return problem === undefined ? [] : [problem];
}

function problemLine(
  typeset: Typeset,
  {problem, loading}: Timeline,
  which: 'older' | 'newer',
  isPreview: boolean,
): PaneLine | undefined {
  if (problem === undefined || loading !== undefined) return undefined;
  const key = retryKeys[which][isPreview ? 'preview' : 'messages'];
  const text = `${which} messages could not be loaded: ${problem} ${typeset.glyphs.between} ${key} tries again`;
  return labelledRule(typeset, text, 'warning');
}

/** The lines shown instead of messages. Never empty. */
export function emptyLines(
  frame: Frame,
  typeset: Typeset,
  narrow: Narrow,
  timeline: Timeline | undefined,
  isPreview: boolean,
): readonly PaneLine[] {
  const {columns, indent} = typeset.measures;
  const margin: UiSpan = {text: ' '.repeat(Math.min(indent, 2)), role: 'text'};
  const lines = emptySpans(frame, typeset, narrow, timeline, isPreview).flatMap(({text, role}) =>
    wrapSpans([...fittedLine([{text, role}], Number.MAX_SAFE_INTEGER).spans], {
      width: Math.max(1, columns - 1),
      first: [margin],
      rest: [margin],
    }),
  );
  return [blankLine, ...lines];
}

function emptySpans(
  frame: Frame,
  {glyphs}: Typeset,
  narrow: Narrow,
  timeline: Timeline | undefined,
  isPreview: boolean,
): readonly UiSpan[] {
  const isComplete =
    (timeline?.hasOldest === true && timeline.hasNewest) ||
    (frame.account.connection.phase === 'online' && lostChannelText(frame, narrow) !== undefined);
  if (timeline?.problem !== undefined && timeline.loading === undefined && !isComplete) {
    return [
      {text: `These messages could not be loaded: ${timeline.problem}`, role: 'warning'},
      {text: `${retryKeys.newer[isPreview ? 'preview' : 'messages']} tries again`, role: 'hint'},
    ];
  }
  if (!isComplete) {
    const isOffline = frame.account.connection.phase === 'offline';
    const text = isOffline
      ? 'These messages are not saved on this machine. They load when back online.'
      : `Loading messages${glyphs.ellipsis}`;
    return [{text, role: 'dim'}];
  }
  const {what, keys} = emptyTimelineText(frame, narrow);
  return [{text: what, role: 'text'}, ...keys.map((text): UiSpan => ({text, role: 'hint'}))];
}

const edgeTexts = {
  top: 'Older messages load when back online',
  bottom: 'Offline: showing saved messages',
} as const;

/** Returns the line at an edge of the saved messages; undefined when the edge is not due to being offline. */
export function savedEdgeLines(
  {account}: Pick<Frame, 'account'>,
  typeset: Typeset,
  timeline: Timeline,
  edge: keyof typeof edgeTexts,
): readonly PaneLine[] | undefined {
  return isOnlySaved(account, timeline) ? [labelledRule(typeset, edgeTexts[edge], 'date_separator')] : undefined;
}
