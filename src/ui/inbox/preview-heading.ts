import {textColumns} from '#content/styled-text/text-width.ts';
import {prefixLine, spansColumns} from '#content/styled-text/wrap.ts';
import {typingText} from '#state/selectors/people/people.ts';
import type {DisplayOptions, Frame} from '#ui/core/frame.ts';
import {
  conversationColor,
  conversationNameSpans,
  conversationNameText,
  tintedChannelSpans,
} from '#ui/format/conversation-name.ts';
import type {Rect} from '#ui/layout/layout.ts';
import {blankLine, fittedLine, leftRightLine, rule, type UiLine, type UiSpan} from '#ui/layout/ui-line.ts';
import {rowSymbolSpans} from '#ui/lists/navigation-row.ts';
import {cursorRow} from '#ui/lists/visible-rows.ts';
import {countedNoun, unreadCountText, unreadCountWords} from '#wording/counted-noun.ts';
import {plainGlyphText, ruleGlyph, type UiGlyphs, uiGlyphs} from '#wording/ui-glyphs.ts';
import {inboxList} from './inbox-list.ts';
import {type CursorPreview, cursorPreview, isAtConversationEnd, triageItemUnderCursor} from './inbox-preview.ts';
import {inboxHints, keyHintLines, triageProgressText} from './inbox-summary.ts';
import {removalLabels, type TriageItem, type TriageRow, type TriageTitle, triageLine} from './triage-row.ts';
import {triageRows} from './triage-rows.ts';

/** Where a preview is: beside the list, below it, or without it (triage). */
export type PreviewPlace = 'beside' | 'below' | 'alone';

/** What the heading of a preview is made of. `progress`: empty beside or below the list, whose tabs show it. */
type PreviewTitle = NonNullable<ReturnType<typeof previewTitle>>;

/** Selects the heading of the conversation under the cursor. */
export function previewTitle(frame: Frame) {
  const {account, screen, display} = frame;
  const item = triageItemUnderCursor(frame);
  if (item === undefined) return undefined;
  const progress = screen.view.kind === 'triage' ? triageProgressText(frame) : '';
  return {item, color: conversationColor(account, item.conversation), progress, glyphs: display.glyphs};
}

/** A part of a heading; the part with the highest rank is left out first. */
interface HeadingPart {
  readonly text: string;
  /** The same in fewer columns. */
  readonly brief?: string;
  readonly rank: number;
}

/** Returns the state of a conversation: `Dan, Bo · following · 4 unread · latest 2h`. */
function stateParts({item, progress, glyphs}: PreviewTitle): readonly HeadingPart[] {
  const unread = {text: unreadCountWords(item, uiGlyphs({glyphs})), brief: `${unreadCountText(item)} unread`};
  const parts: readonly HeadingPart[] = [
    {text: item.people, rank: 5},
    {text: item.isFollowed ? 'following' : '', rank: 4},
    {text: item.isMuted ? 'muted' : '', rank: 2},
    {...(item.removalReason === undefined ? unread : {text: removalLabels[item.removalReason]}), rank: 0},
    {text: item.age === '' ? '' : `latest ${item.age}`, rank: 3},
    {text: progress, rank: 1},
  ];
  return parts.filter(({text}) => text !== '');
}

/** Returns as many parts as fit beside the title. */
function fittingText(parts: readonly HeadingPart[], room: number, {dot}: UiGlyphs): string {
  const shown = [...parts];
  const text = () => shown.map((word) => word.text).join(` ${dot} `);
  const shortened = () => shown.findIndex(({brief}) => brief !== undefined);
  if (textColumns(text()) > room && shortened() >= 0) {
    const {brief = '', rank = 0} = shown[shortened()] ?? {};
    shown[shortened()] = {text: brief, rank};
  }
  while (shown.length > 1 && textColumns(text()) > room) {
    const lowest = shown.reduce((worst, one) => (one.rank > worst.rank ? one : worst));
    shown.splice(shown.indexOf(lowest), 1);
  }
  return text();
}

/** The title is never cut below this width for other parts. */
const minTitleColumns = 24;

function headingOf(shown: PreviewTitle, columns: number) {
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

/** Returns the heading for a screen reader, without the age, which changes while it is read. */
function spokenHeading(shown: PreviewTitle, columns: number): UiLine {
  const glyphs = uiGlyphs(shown);
  const states = stateParts({...shown, item: {...shown.item, age: ''}}).map(({text}) => text.replace(' - ', ', '));
  const text = [conversationNameText(shown.item.label, glyphs), ...states].join(', ');
  return fittedLine([{text, role: 'topic'}], columns, glyphs.ellipsis);
}

/** The columns of a heading that are not for its texts: margins, or the ends of the rule. */
const edgeColumns: Readonly<Record<PreviewPlace, number>> = {beside: 1, alone: 2, below: 4};

/** Returns the heading of a preview; below the list it is the rule between both. */
export function previewHeading(shown: PreviewTitle, place: PreviewPlace, columns: number): UiLine {
  if (shown.glyphs === 'words') return spokenHeading(shown, columns);
  const {title, details} = headingOf(shown, columns - edgeColumns[place]);
  return headingLine(title, details, shown, place, columns);
}

function headingLine(
  title: readonly UiSpan[],
  details: string,
  display: Pick<DisplayOptions, 'glyphs'>,
  place: PreviewPlace,
  columns: number,
): UiLine {
  const {ellipsis} = uiGlyphs(display);
  if (place === 'below') {
    const label: UiSpan[] = [...title, {text: `  ${details}`, role: 'dim'}];
    return rule(columns, {label, glyph: ruleGlyph(display), ellipsis});
  }
  const margin: UiSpan = {text: place === 'alone' ? ' ' : '', role: 'text'};
  return leftRightLine([margin, ...title], [{text: `${details} `, role: 'dim'}], columns, {ellipsis});
}

/** The texts below the messages of a preview; empty ones for nothing. */
type PreviewNotice = NonNullable<ReturnType<typeof previewNotice>>;

/** Selects who is typing and how many messages are to come; undefined where the messages take all rows. */
export function previewNotice(frame: Frame, rect: Pick<Rect, 'columns' | 'rows'>) {
  const preview = cursorPreview(frame, rect);
  if (frame.screen.isFirstFrame || preview?.hasNotice !== true || frame.display.glyphs === 'words') return undefined;
  const {account, display} = frame;
  const typing = typingText(account, preview.row.conversation);
  // The key works only in the focused pane.
  const key = frame.screen.focus === 'other' ? '' : ' · Space';
  return {typing, more: moreText(frame, preview), key, glyphs: display.glyphs};
}

/** Returns the number of unread messages below, `7 more`; `more` for messages that are read. */
function moreText({account}: Frame, {row, shown}: CursorPreview): string {
  const {window} = shown;
  if (window === undefined || isAtConversationEnd(shown)) return '';
  const last = window.rows.at(-1)?.key;
  if (typeof last !== 'number') return 'more';
  const ids = account.unreads.conversations.get(row.key)?.ids;
  const count = ids === undefined ? 0 : [...ids.from(last + 1)].length;
  return count === 0 ? 'more' : `${count} more`;
}

export function noticeLine({typing, more, key, glyphs}: PreviewNotice, columns: number): UiLine {
  const arrow = {unicode: '↓ ', ascii: 'v ', words: ''}[glyphs];
  return leftRightLine(
    [{text: typing === '' ? '' : ` ${typing}`, role: 'typing'}],
    more === '' ? [] : [{text: plainGlyphText(`${arrow}${more}${key} `, {glyphs}), role: 'hint'}],
    columns,
  );
}

/** Returns the title of the folded group under the cursor. */
export function foldedGroup(frame: Frame): TriageTitle | undefined {
  const at = cursorRow(frame, inboxList);
  if (at?.kind !== 'title') return undefined;
  return triageRows(frame).find((one): one is TriageTitle => one.kind === 'title' && one.key === at.key);
}

/** What the preview of a folded group is made of. */
export type ShownGroup = NonNullable<ReturnType<typeof shownGroup>>;

/**
 * Selects the folded group under the cursor: its conversations, and the keys that unfold it or mark it read, so that the user
 * sees what these keys act on.
 */
export function shownGroup(frame: Frame) {
  const group = foldedGroup(frame);
  if (group === undefined) return undefined;
  const isIn = (one: TriageRow): one is TriageItem => one.kind === 'item' && one.inboxGroup === group.inboxGroup;
  const items = triageRows(frame).filter(isIn);
  return {title: group.label, items, hints: inboxHints(frame, maxKeys), glyphs: frame.display.glyphs};
}

const maxKeys = 3;

/** Returns `5 conversations, 61 messages`. */
function countsText(items: readonly TriageItem[]): string {
  const messages = items.reduce((sum, {count}) => sum + count, 0);
  return `${countedNoun(items.length, 'conversation')}, ${countedNoun(messages, 'message')}`;
}

/** Returns the heading of the preview, with the number of conversations and messages. */
export function groupHeading(group: ShownGroup, place: PreviewPlace, columns: number): UiLine {
  const name: UiSpan = {text: group.title, role: 'topic', bold: true};
  return headingLine([name], countsText(group.items), group, place, columns);
}

/** Returns the conversations of a group, and the keys for it. */
export function groupLines(group: ShownGroup, {columns, rows}: Pick<Rect, 'columns' | 'rows'>): readonly UiLine[] {
  const {items, hints} = group;
  const glyphs = uiGlyphs(group);
  const keys = [blankLine, ...keyHintLines(hints, glyphs, columns)];
  const rowCount = Math.max(1, rows - keys.length);
  const shown = items.length <= rowCount ? items : items.slice(0, Math.max(0, rowCount - 1));
  const labels = shown.map(({label}) => conversationNameText(label, glyphs));
  const lines = shown.map((item, at) =>
    prefixLine(
      triageLine(item, {
        columns: columns - 1,
        glyphs,
        isFocused: false,
        isFolded: false,
        isTop: true,
        neighbours: [labels[at - 1], labels[at + 1]].flatMap((label) => label ?? []),
        label: (role) => [{text: labels[at] ?? '', role}],
      }),
      [{text: ' ', role: 'text'}],
    ),
  );
  const hiddenCount = items.length - shown.length;
  const rest = fittedLine([{text: `      and ${hiddenCount} more`, role: 'dim'}], columns, glyphs.ellipsis);
  return [...lines, ...(hiddenCount === 0 ? [] : [rest]), ...keys].slice(0, rows);
}
