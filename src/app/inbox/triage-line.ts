import {excerpt} from '#app/excerpt.ts';
import {type Column, columns, row, type UiLine, type UiSpan} from '#app/lines.ts';
import type {RowRoom} from '#app/lists/list-source.ts';
import {signSpans} from '#app/lists/place-row.ts';
import {prefixed, spansColumns} from '#content/lines/wrap.ts';
import type {TriageItem, TriageRow, TriageTitle} from './triage-row.ts';

const countColumns = 4;
const ageColumns = 4;
const peopleColumns = 22;
/** From these widths on there is room for more than where it is. */
const ageFrom = 30;
const snippetFrom = 60;
const peopleFrom = 104;
const [leastTitle, mostTitle] = [28, 44];

export function triageLine(shown: TriageRow, room: RowRoom): UiLine {
  return shown.kind === 'title' ? titleLine(shown, room) : itemLine(shown, room);
}

function titleLine(
  {label, count}: TriageTitle,
  {columns: width, glyphs, isFocused, isFolded}: RowRoom,
): UiLine {
  const fold = isFolded ? ` ${glyphs.folded}` : '';
  return row(
    [
      {text: `${label.toUpperCase()}${fold}`, role: isFocused ? 'title' : 'section'},
      {text: `  ${count}`, role: 'dim'},
    ],
    width,
    glyphs.ellipsis,
  );
}

/** `@4 #backend › deploy freeze ✓ +2   can we lift the freeze before noon?   2h` */
function itemLine(shown: TriageItem, room: RowRoom): UiLine {
  const {columns: width, glyphs} = room;
  const count = countCell(shown, room);
  const left = width - countColumns - 1;
  const hasSnippet = width >= snippetFrom;
  const tail: Column[] = [];
  if (hasSnippet) tail.push({text: excerpt(shown.snippet), role: 'dim', width: 'rest'});
  if (width >= peopleFrom) tail.push({text: shown.people, role: 'dim', width: peopleColumns});
  if (width >= ageFrom) tail.push({text: shown.age, role: 'age', width: ageColumns, align: 'right'});
  const wanted = Math.floor(width * 0.42);
  const titleColumns = hasSnippet
    ? Math.max(leastTitle, Math.min(mostTitle, wanted))
    : left - (tail.length === 0 ? 0 : ageColumns + 2);
  const title = placeLine(shown, room, titleColumns);
  const rest = columns(tail, left - titleColumns - 2, {gap: 2, ellipsis: glyphs.ellipsis});
  const gap: UiSpan = {text: ' '.repeat(2 + titleColumns - title.width), role: 'text'};
  const end = rest.width === 0 ? [] : [gap, ...rest.spans];
  return prefixed({spans: [...title.spans, ...end], width: title.width + spansColumns(end)}, [
    ...count.spans,
    {text: ' ', role: 'text'},
  ]);
}

function countCell(shown: TriageItem, {glyphs}: RowRoom): UiLine {
  const {isGone, hasMention, hasAlertWord, count, inGroup} = shown;
  const sign = hasMention ? '@' : hasAlertWord ? '!' : '';
  const text = isGone ? glyphs.resolved : `${sign}${count > 999 ? '1k+' : count}`;
  const isQuiet = isGone || inGroup === 'muted';
  const role = isQuiet ? 'dim' : sign === '' ? 'unread_count' : 'mention_count';
  return columns([{text, role, width: countColumns, align: 'right'}], countColumns);
}

/** Where it is, with its signs: names give way to signs. */
function placeLine(shown: TriageItem, room: RowRoom, width: number): UiLine {
  const {glyphs} = room;
  const tags = tagSpans(shown, room);
  const role = shown.isGone ? 'dim' : shown.inGroup === 'muted' ? 'muted' : 'text';
  const name = row(room.label(role), Math.max(1, width - spansColumns(tags)), glyphs.ellipsis);
  return row([...name.spans, ...tags], width, glyphs.ellipsis);
}

function tagSpans(shown: TriageItem, {glyphs}: RowRoom): readonly UiSpan[] {
  const tags: UiSpan[] = [...signSpans(shown, glyphs)];
  if (shown.isBack) tags.push({text: ` ${glyphs.later}`, role: 'warning'});
  if (shown.isGone) tags.push({text: ' read elsewhere', role: 'dim'});
  else if (shown.isNew) tags.push({text: ' new', role: 'success'});
  else if (shown.added > 0) tags.push({text: ` +${shown.added}`, role: 'success'});
  return tags;
}
