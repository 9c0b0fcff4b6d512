import {textColumns} from '#content/styled-text/text-width.ts';
import {spansColumns} from '#content/styled-text/wrap.ts';
import {typingText} from '#state/selectors/people/typing-text.ts';
import {memoizeLast} from '#std/memo.ts';
import type {DisplayOptions, Frame} from '#ui/core/frame.ts';
import {conversationNameSpans, conversationNameText, tintedChannelSpans} from '#ui/format/conversation-name.ts';
import {plainGlyphText, type UiGlyphs, uiGlyphs} from '#ui/format/ui-glyphs.ts';
import {unreadCountText} from '#ui/format/unread-count.ts';
import {fittedLine, leftRightLine, rule, type UiLine, type UiSpan} from '#ui/layout/ui-line.ts';
import {rowSymbolSpans} from '#ui/lists/navigation-row.ts';
import {removalLabels} from './removal-reason.ts';
import type {TriageItem} from './triage-row.ts';

/** A part of a heading; the part with the highest rank is left out first. */
interface HeadingPart {
  readonly text: string;
  readonly rank: number;
}

/** Returns the state of a conversation: `Dan, Bo · following · 4 unread · latest 2h`. */
function stateParts(item: TriageItem, progress = ''): readonly HeadingPart[] {
  const parts: readonly HeadingPart[] = [
    {text: item.people, rank: 5},
    {text: item.isFollowed ? 'following' : '', rank: 4},
    {text: item.isMuted ? 'muted' : '', rank: 2},
    {
      text: item.removalReason === undefined ? `${unreadCountText(item)} unread` : removalLabels[item.removalReason],
      rank: 0,
    },
    {text: item.age === '' ? '' : `latest ${item.age}`, rank: 3},
    {text: progress, rank: 1},
  ];
  return parts.filter(({text}) => text !== '');
}

/** Returns as many parts as fit beside the title. */
function fittingText(parts: readonly HeadingPart[], room: number, {dot}: UiGlyphs): string {
  const shown = [...parts];
  const text = () => shown.map((word) => word.text).join(` ${dot} `);
  while (shown.length > 1 && textColumns(text()) > room) {
    const lowest = shown.reduce((worst, one) => (one.rank > worst.rank ? one : worst));
    shown.splice(shown.indexOf(lowest), 1);
  }
  return text();
}

/** The title is never cut below this width for other parts. */
const minTitleColumns = 24;

interface PreviewHeading {
  readonly title: readonly UiSpan[];
  readonly details: string;
}

function headingOf(
  kind: Glyphs,
  item: TriageItem,
  color: string | undefined,
  parts: readonly HeadingPart[],
  columns: number,
): PreviewHeading {
  const glyphs = uiGlyphs({glyphs: kind});
  const symbols = rowSymbolSpans({...item, isFollowed: false}, glyphs);
  const label: UiSpan = {text: conversationNameText(item.label, glyphs), role: 'topic', bold: true};
  const wanted = fittedLine([label], columns).width + spansColumns(symbols);
  const isNarrow = columns < 2 * minTitleColumns;
  const titleRoom = isNarrow ? Math.min(wanted, minTitleColumns) : wanted;
  const shown = fittingText(parts, columns - titleRoom - 2, glyphs);
  const left = columns - textColumns(shown) - 2 - spansColumns(symbols);
  const name = tintedChannelSpans(conversationNameSpans([label], Math.max(1, left), glyphs), color, glyphs);
  return {title: [...name, ...symbols], details: shown};
}

type Glyphs = DisplayOptions['glyphs'];

/** The heading of the preview beside the list. */
export const previewHeading = memoizeLast(
  (glyphs: Glyphs, item: TriageItem, color: string | undefined, columns: number): UiLine => {
    const {title, details} = headingOf(glyphs, item, color, stateParts(item), columns - 1);
    return leftRightLine(title, [{text: `${details} `, role: 'dim'}], columns, {
      ellipsis: uiGlyphs({glyphs}).ellipsis,
    });
  },
);

/** The same heading as a rule between the list and the preview below it. */
export const previewRule = memoizeLast(
  (glyphs: Glyphs, item: TriageItem, color: string | undefined, columns: number): UiLine => {
    const {title, details} = headingOf(glyphs, item, color, stateParts(item), columns - 4);
    return rule(columns, {
      label: [...title, {text: `  ${details}`, role: 'dim'}],
      glyph: glyphs === 'ascii' ? '-' : '─',
      ellipsis: uiGlyphs({glyphs}).ellipsis,
    });
  },
);

/** The heading in triage, with the progress. */
export const triageHeading = memoizeLast(
  (glyphs: Glyphs, item: TriageItem, color: string | undefined, progress: string, columns: number): UiLine => {
    const {title, details} = headingOf(glyphs, item, color, stateParts(item, progress), columns - 2);
    return leftRightLine([{text: ' ', role: 'text'}, ...title], [{text: `${details} `, role: 'dim'}], columns, {
      ellipsis: uiGlyphs({glyphs}).ellipsis,
    });
  },
);

/** Returns the line below the messages: typing indicators, and the number of further messages. */
export function previewNotice(frame: Frame, item: TriageItem, more: string, columns: number): UiLine {
  return noticeOf(frame.display.glyphs, typingText(frame.account, item.conversation), more, columns);
}

const noticeOf = memoizeLast((glyphs: Glyphs, typing: string, more: string, columns: number): UiLine => {
  const arrow = glyphs === 'ascii' ? 'v' : '↓';
  return leftRightLine(
    [{text: typing === '' ? '' : ` ${typing}`, role: 'typing'}],
    more === '' ? [] : [{text: plainGlyphText(`${arrow} ${more} · Space `, {glyphs}), role: 'hint'}],
    columns,
  );
});
