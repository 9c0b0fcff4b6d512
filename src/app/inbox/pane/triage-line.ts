import {conversationNameSpans, dimChannelSpans} from '#app/format/conversation-name.ts';
import {excerpt} from '#app/format/excerpt.ts';
import {removalLabels} from '#app/inbox/removal-reason.ts';
import type {TriageItem, TriageRow, TriageTitle} from '#app/inbox/triage-row.ts';
import {columnsLine, fittedLine, type LineColumn, type UiLine, type UiSpan} from '#app/layout/ui-line.ts';
import type {RowContext} from '#app/lists/list-source.ts';
import {rowSymbolSpans} from '#app/lists/navigation-row.ts';
import {prefixLine, spansColumns} from '#content/styled-text/wrap.ts';

const countColumns = 4;
const ageColumns = 3;
const peopleColumns = 18;
const gap = 2;
/** From these widths on there is room for more than where it is. */
const ageFrom = 26;
const snippetFrom = 60;
const peopleFrom = 90;
const [leastTitle, mostTitle] = [28, 48];

export function triageLine(shown: TriageRow, room: RowContext): UiLine {
  return shown.kind === 'title' ? titleLine(shown, room) : itemLine(shown, room);
}

function titleLine(
  {label, count}: TriageTitle,
  {columns: width, glyphs, isFocused, isFolded}: RowContext,
): UiLine {
  const fold = isFolded ? ` ${glyphs.folded}` : '';
  return fittedLine(
    [
      {text: `${label.toUpperCase()}${fold}`, role: isFocused ? 'title' : 'section'},
      {text: `  ${count}`, role: 'dim'},
    ],
    width,
    glyphs.ellipsis,
  );
}

/** `@4 #backend › deploy freeze +2   ✓ ★  can we lift the freeze before noon?  2h` */
function itemLine(shown: TriageItem, room: RowContext): UiLine {
  const {columns: width, glyphs} = room;
  const hasSnippet = width >= snippetFrom;
  const tail: LineColumn[] = [];
  if (hasSnippet) tail.push({text: excerpt(shown.snippet, shown.names), role: 'dim', width: 'rest'});
  if (width >= peopleFrom) tail.push({text: shown.people, role: 'dim', width: peopleColumns});
  if (width >= ageFrom) tail.push({text: shown.age, role: 'age', width: ageColumns, align: 'right'});
  // Numbers keep a column from the edge, as in other lists.
  const left = width - countColumns - 2;
  const title = Math.max(leastTitle, Math.min(mostTitle, Math.floor(width * 0.42)));
  const place = placeLine(
    shown,
    room,
    hasSnippet ? title : left - (tail.length === 0 ? 0 : ageColumns + gap),
  );
  const rest = columnsLine(tail, left - place.width - gap, {gap, ellipsis: glyphs.ellipsis});
  const end: readonly UiSpan[] = rest.width === 0 ? [] : [space(gap), ...rest.spans];
  const count = countCell(shown, room);
  return prefixLine({spans: [...place.spans, ...end], width: place.width + spansColumns(end)}, [
    ...count.spans,
    space(1),
  ]);
}

function countCell(shown: TriageItem, {glyphs}: RowContext): UiLine {
  const {
    isRemoved: isGone,
    removalReason: goneBy,
    hasMention,
    hasAlertWord,
    count,
    inboxGroup: inGroup,
  } = shown;
  const sign = hasMention ? '@' : hasAlertWord ? '!' : '';
  const text = isGone
    ? goneBy === 'read'
      ? glyphs.resolved
      : glyphs.dot
    : `${sign}${count > 999 ? '1k+' : count}`;
  const isQuiet = isGone || inGroup === 'muted';
  const role = isQuiet ? 'dim' : sign === '' ? 'unread_count' : 'mention_count';
  return columnsLine([{text, role, width: countColumns, align: 'right'}], countColumns);
}

/** Where it is, exactly so wide: what is new at its end, its signs at the right, where those of all rows stand. */
function placeLine(shown: TriageItem, room: RowContext, width: number): UiLine {
  const {glyphs, neighbours} = room;
  const [news, signs] = [newsSpans(shown), rightSigns(shown, room)];
  const role = shown.isRemoved ? 'dim' : shown.isMuted ? 'muted' : 'text';
  const left = Math.max(1, width - spansColumns(news) - spansColumns(signs));
  const name = dimChannelSpans(conversationNameSpans(room.label(role), left, glyphs, neighbours), glyphs);
  const missing = width - spansColumns([...name, ...news, ...signs]);
  return fittedLine([...name, ...news, space(Math.max(0, missing)), ...signs], width, glyphs.ellipsis);
}

function newsSpans({
  removalReason: goneBy,
  isNew,
  newCount: added,
  isMuted,
  inboxGroup: inGroup,
}: TriageItem): readonly UiSpan[] {
  if (goneBy !== undefined) return [{text: ` ${removalLabels[goneBy]}`, role: 'dim'}];
  // Among those that are heard, where the title of the group does not say it.
  const muted: readonly UiSpan[] = isMuted && inGroup !== 'muted' ? [{text: ' muted', role: 'dim'}] : [];
  if (isNew) return [...muted, {text: ' new', role: 'success'}];
  return added > 0 ? [...muted, {text: ` +${added}`, role: 'success'}] : muted;
}

function rightSigns(shown: TriageItem, {glyphs}: RowContext): readonly UiSpan[] {
  const signs = rowSymbolSpans(shown, glyphs);
  return shown.isSnoozeOver ? [...signs, {text: ` ${glyphs.snoozed}`, role: 'warning'}] : signs;
}

function space(columnCount: number): UiSpan {
  return {text: ' '.repeat(columnCount), role: 'text'};
}
