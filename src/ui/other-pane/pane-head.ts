import {viewUnreads} from '#state/selectors/unreads/unread-counts.ts';
import {type DisplayOptions, type Frame, type PaneLine, shownConversation, viewChannelId} from '#ui/core/frame.ts';
import {channelColor, conversationColor, tintedChannelSpans} from '#ui/format/conversation-name.ts';
import {unreadCountSpans} from '#ui/format/counted-noun.ts';
import {plainGlyphText, uiGlyphs} from '#ui/format/ui-glyphs.ts';
import {viewTitle} from '#ui/format/view-title.ts';
import type {Rect} from '#ui/layout/layout.ts';
import {fittedLine, type UiSpan} from '#ui/layout/ui-line.ts';

type PaneHead = ReturnType<typeof paneHead>;

/** Selects what the line above one of two panes says. */
export function paneHead(frame: Frame) {
  const {account, screen} = frame;
  const {view} = screen;
  return {
    title: viewTitle(frame, view),
    color: conversationColor(account, shownConversation(screen)) ?? channelColor(account, viewChannelId(view)),
    unreads: view.kind === 'messages' ? viewUnreads(account, view.narrow) : undefined,
    isFocused: screen.focus !== 'other',
  };
}

/** The shortest line after the title. */
const minLine = 2;

/** The name of the view in a line. The focused pane has a bar and another line, so that colours are not needed to find it. */
export function paneHeadLine(
  {title, color, unreads, isFocused}: PaneHead,
  {columns}: Pick<Rect, 'columns'>,
  display: DisplayOptions,
): PaneLine {
  const glyphs = uiGlyphs(display);
  const line = lineGlyphs[display.glyphs][isFocused ? 'focused' : 'other'];
  const lineRole = isFocused ? 'cursor_bar' : 'separator';
  const counts = unreads === undefined ? [] : unreadCountSpans(unreads);
  const right: readonly UiSpan[] =
    counts.length === 0
      ? []
      : [{text: ' ', role: 'text'}, ...counts, {text: ' unread', role: counts.at(-1)?.role ?? 'dim'}];
  const named: UiSpan = {text: plainGlyphText(title, display), role: isFocused ? 'header_title' : 'title_idle'};
  const start: UiSpan = {text: isFocused ? glyphs.bar : line, role: lineRole};
  const titled: readonly UiSpan[] = [
    start,
    {text: isFocused ? '' : ' ', role: 'text'},
    ...tintedChannelSpans([named], color, glyphs),
    {text: ' ', role: 'text'},
  ];
  const after = fittedLine(right, columns);
  const before = fittedLine(titled, Math.max(1, columns - after.width - minLine), glyphs.ellipsis);
  const missing = Math.max(0, columns - before.width - after.width);
  return fittedLine([...before.spans, {text: line.repeat(missing), role: lineRole}, ...after.spans], columns);
}

const lineGlyphs = {
  unicode: {focused: '━', other: '─'},
  ascii: {focused: '=', other: '-'},
  words: {focused: ' ', other: ' '},
} as const;
