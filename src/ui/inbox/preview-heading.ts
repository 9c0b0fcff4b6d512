import {textColumns} from '#content/styled-text/text-width.ts';
import {spansColumns} from '#content/styled-text/wrap.ts';
import type {DisplayOptions, Frame} from '#ui/core/frame.ts';
import {conversationColor} from '#ui/format/channel-color.ts';
import {conversationNameSpans, conversationNameText, tintedChannelSpans} from '#ui/format/conversation-name.ts';
import {type UiGlyphs, uiGlyphs} from '#ui/format/ui-glyphs.ts';
import {unreadCountText} from '#ui/format/unread-count.ts';
import {fittedLine, leftRightLine, rule, type UiLine, type UiSpan} from '#ui/layout/ui-line.ts';
import {rowSymbolSpans} from '#ui/lists/navigation-row.ts';
import {triageItemUnderCursor} from './inbox-preview.ts';
import {triageProgressText} from './inbox-tabs.ts';
import {removalLabels} from './removal-reason.ts';
import type {TriageItem} from './triage-row.ts';

/** Where a preview is: beside the list, below it, or without it (triage). */
export type PreviewPlace = 'beside' | 'below' | 'alone';

/** What the heading of a preview is made of. */
export interface PreviewTitle {
  readonly item: TriageItem;
  readonly color: string | undefined;
  /** Empty beside or below the list, whose tabs show it. */
  readonly progress: string;
  readonly glyphs: DisplayOptions['glyphs'];
}

/** Selects the heading of the conversation under the cursor. */
export function previewTitle(frame: Frame): PreviewTitle | undefined {
  const {account, screen, display} = frame;
  const item = triageItemUnderCursor(frame);
  if (item === undefined) return undefined;
  const progress = screen.view.kind === 'triage' ? triageProgressText(frame) : '';
  return {item, color: conversationColor(account, item.conversation), progress, glyphs: display.glyphs};
}

/** A part of a heading; the part with the highest rank is left out first. */
interface HeadingPart {
  readonly text: string;
  readonly rank: number;
}

/** Returns the state of a conversation: `Dan, Bo · following · 4 unread · latest 2h`. */
function stateParts({item, progress}: PreviewTitle): readonly HeadingPart[] {
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

function headingOf(shown: PreviewTitle, columns: number): PreviewHeading {
  const {item, color} = shown;
  const glyphs = uiGlyphs(shown);
  const symbols = rowSymbolSpans({...item, isFollowed: false}, glyphs);
  const label: UiSpan = {text: conversationNameText(item.label, glyphs), role: 'topic', bold: true};
  const wanted = fittedLine([label], columns).width + spansColumns(symbols);
  const isNarrow = columns < 2 * minTitleColumns;
  const titleRoom = isNarrow ? Math.min(wanted, minTitleColumns) : wanted;
  const details = fittingText(stateParts(shown), columns - titleRoom - 2, glyphs);
  const left = columns - textColumns(details) - 2 - spansColumns(symbols);
  const name = tintedChannelSpans(conversationNameSpans([label], Math.max(1, left), glyphs), color, glyphs);
  return {title: [...name, ...symbols], details};
}

/** The columns of a heading that are not for its texts: margins, or the ends of the rule. */
const edgeColumns: Readonly<Record<PreviewPlace, number>> = {beside: 1, alone: 2, below: 4};

/** Returns the heading of a preview; below the list it is the rule between both. */
export function previewHeading(shown: PreviewTitle, place: PreviewPlace, columns: number): UiLine {
  const {title, details} = headingOf(shown, columns - edgeColumns[place]);
  const {ellipsis} = uiGlyphs(shown);
  if (place === 'below') {
    const glyph = shown.glyphs === 'ascii' ? '-' : '─';
    return rule(columns, {label: [...title, {text: `  ${details}`, role: 'dim'}], glyph, ellipsis});
  }
  const margin: UiSpan = {text: place === 'alone' ? ' ' : '', role: 'text'};
  return leftRightLine([margin, ...title], [{text: `${details} `, role: 'dim'}], columns, {ellipsis});
}
