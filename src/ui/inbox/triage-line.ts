import {prefixLine, spansColumns} from '#content/styled-text/wrap.ts';
import type {UiRole} from '#theme/roles.ts';
import {conversationNameSpans, dimChannelSpans, topicSpans, topicStart} from '#ui/format/conversation-name.ts';
import {fittedUnreadCount, unreadCountText} from '#ui/format/counted-noun.ts';
import {excerpt} from '#ui/format/message-context.ts';
import {inboxLayout} from '#ui/layout/layout.ts';
import {columnsLine, fittedLine, type LineColumn, leftRightLine, type UiLine, type UiSpan} from '#ui/layout/ui-line.ts';
import type {ListSource, RowContext} from '#ui/lists/list-source.ts';
import {organizationsNote} from '#ui/lists/list-source.ts';
import {rowSymbolSpans} from '#ui/lists/navigation-row.ts';
import {removalLabels, type TriageItem, type TriageRow, type TriageTitle, type UnreadMessages} from './triage-row.ts';
import {inboxOrder, triageRows} from './triage-rows.ts';

const countColumns = 5;
const ageColumns = 3;
const peopleColumns = 18;
const gap = 2;
/** From these widths on a row shows more than the conversation's name. */
const ageMinColumns = 26;
const snippetMinColumns = 60;
const peopleMinColumns = 90;
const [minTitle, maxTitle] = [28, 48];

/** Returns the line of a title or a conversation in the inbox. */
export function triageLine(row: TriageRow, context: RowContext): UiLine {
  if (row.kind === 'heading' && row.unreads !== undefined) return organizationLine(row, row.unreads, context);
  if (row.kind === 'heading')
    return fittedLine([space(1), ...context.label('channel')], context.columns, context.glyphs.ellipsis);
  return row.kind === 'title' ? titleLine(row, context) : itemLine(row, context);
}

/** Returns `acme  @1 14`, above the groups of an organization. */
function organizationLine({label}: TriageRow, unreads: UnreadMessages, {columns, glyphs}: RowContext): UiLine {
  const spans: readonly UiSpan[] = [
    {text: label, role: 'account'},
    {text: `  ${unreadCountText(unreads)}`, role: 'dim'},
  ];
  return fittedLine(spans, columns, glyphs.ellipsis);
}

function titleLine({label, unreads, orders}: TriageTitle, {columns, glyphs, isFocused, isFolded}: RowContext): UiLine {
  const fold = isFolded ? ` ${glyphs.folded}` : '';
  const left: readonly UiSpan[] = [
    {text: `${label.toUpperCase()}${fold}`, role: isFocused ? 'title' : 'section'},
    {text: `  ${unreadCountText(unreads)}`, role: 'dim'},
  ];
  const room = columns - spansColumns(left) - gap;
  const texts = [orders.join(` ${glyphs.dot} `), orders[0] ?? ''].map((text) => `${text} `);
  const order = isFolded ? undefined : texts.find((text) => text.length <= room);
  const right: readonly UiSpan[] = order === undefined ? [] : [{text: order, role: 'dim'}];
  return leftRightLine(left, right, columns, {ellipsis: glyphs.ellipsis});
}

/** Returns a row: `@1 4 #backend › deploy freeze +2   ✓ ◎  can we lift the freeze before noon?  2h`. */
function itemLine(row: TriageItem, context: RowContext): UiLine {
  const {columns: width, glyphs} = context;
  const hasSnippet = width >= snippetMinColumns;
  const tail: LineColumn[] = [];
  if (hasSnippet) tail.push({text: excerpt(row.snippet, row.names, row.snippetFacts), role: 'dim', width: 'rest'});
  if (width >= peopleMinColumns) tail.push({text: row.people, role: 'dim', width: peopleColumns});
  if (width >= ageMinColumns) tail.push({text: row.age, role: 'age', width: ageColumns, align: 'right'});
  // The age keeps one column from the edge, as in other lists.
  const mark: readonly UiSpan[] = row.mark === undefined ? [] : [{text: `${row.mark} `, role: 'account'}];
  const left = width - countColumns - 2 - spansColumns(mark);
  const title = Math.max(minTitle, Math.min(maxTitle, Math.floor(width * 0.42)));
  const nameColumn = nameLine(row, context, hasSnippet ? title : left - (tail.length === 0 ? 0 : ageColumns + gap));
  const rest = columnsLine(tail, left - nameColumn.width - gap, {gap, ellipsis: glyphs.ellipsis});
  const end: readonly UiSpan[] = rest.width === 0 ? [] : [space(gap), ...rest.spans];
  const count = countCell(row, context);
  return prefixLine({spans: [...nameColumn.spans, ...end], width: nameColumn.width + spansColumns(end)}, [
    ...count.spans,
    space(1),
    ...mark,
  ]);
}

/** Marks a conversation with one of the user's alert words. */
export const alertWordMark = '!';

function countCell(row: TriageItem, {glyphs}: RowContext): UiLine {
  const {isRemoved, removalReason, mentions, hasAlertWord, inboxGroup} = row;
  const removed = removalReason === 'read' || removalReason === 'readInPane' ? glyphs.resolved : glyphs.dot;
  const text = isRemoved ? removed : fittedUnreadCount(row, countColumns);
  const isDim = isRemoved || inboxGroup === 'muted';
  const role = isDim ? 'dim' : !hasAlertWord && mentions === 0 ? 'unread_count' : 'mention_count';
  return columnsLine([{text, role, width: countColumns, align: 'right'}], countColumns);
}

/** Returns the name column at exactly this width: what is new at its end, the symbols right-aligned. */
function nameLine(row: TriageItem, context: RowContext, width: number): UiLine {
  const {glyphs} = context;
  const [status, symbols] = [statusSpans(row), rightSymbols(row, context)];
  const role = row.isRemoved ? 'dim' : row.isMuted ? 'muted' : 'text';
  const left = Math.max(1, width - spansColumns(status) - spansColumns(symbols));
  const name = nameSpans(row, context, role, left);
  const padding = width - spansColumns([...name, ...status, ...symbols]);
  return fittedLine([...name, ...status, space(Math.max(0, padding)), ...symbols], width, glyphs.ellipsis);
}

/** Returns the name; below a heading that is on the screen only the topic. */
function nameSpans(
  {isUnderHeading}: TriageItem,
  {glyphs, neighbours = [], label, isTop}: RowContext,
  role: UiRole,
  columns: number,
): readonly UiSpan[] {
  if (!isUnderHeading || isTop === true)
    return dimChannelSpans(conversationNameSpans(label(role), columns, glyphs, neighbours), glyphs);
  const others = neighbours.map((other) => other.slice(topicStart(other, glyphs)));
  return conversationNameSpans(topicSpans(label(role), glyphs), columns, glyphs, others);
}

function statusSpans({removalReason, isNew, newCount, isMuted, inboxGroup}: TriageItem): readonly UiSpan[] {
  if (removalReason !== undefined) return [{text: ` ${removalLabels[removalReason]}`, role: 'dim'}];
  // In other groups than the muted one, whose title says it.
  const muted: readonly UiSpan[] = isMuted && inboxGroup !== 'muted' ? [{text: ' muted', role: 'dim'}] : [];
  if (isNew) return [...muted, {text: ' new', role: 'success'}];
  return newCount > 0 ? [...muted, {text: ` +${newCount}`, role: 'success'}] : muted;
}

function rightSymbols(row: TriageItem, {glyphs}: RowContext): readonly UiSpan[] {
  const alert: readonly UiSpan[] =
    row.hasAlertWord && row.mentions === 0 ? [{text: ` ${alertWordMark}`, role: 'mention_count'}] : [];
  const symbols = [...alert, ...rowSymbolSpans(row, glyphs)];
  return row.isSnoozeOver ? [...symbols, {text: ` ${glyphs.snoozed}`, role: 'warning'}] : symbols;
}

function space(columnCount: number): UiSpan {
  return {text: ' '.repeat(columnCount), role: 'text'};
}

/** The list of conversations with unread messages, to be handled one by one. */
export const inboxList: ListSource<TriageRow> = {
  rows: triageRows,
  line: triageLine,
  shownRowKey: (frame) => inboxOrder(frame).firstKey,
  note: organizationsNote,
  bodyRect: (frame, pane) => inboxLayout(frame, pane).list,
  emptyText: ({screen}) =>
    screen.lists.inbox.split === 'all' ? 'Nothing unread.' : 'Nothing unread here · 1 shows all',
};
