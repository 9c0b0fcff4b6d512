import type {Frame} from '#app/core/frame.ts';
import {memoByFrame} from '#app/core/memo-by-frame.ts';
import {conversationNameText} from '#app/format/conversation-name.ts';
import {countedNoun} from '#app/format/counted-noun.ts';
import {uiGlyphs} from '#app/format/ui-glyphs.ts';
import {inboxCursorContext} from '#app/inbox/cursor-context.ts';
import type {TriageItem, TriageRow, TriageTitle} from '#app/inbox/triage-row.ts';
import {triageRows} from '#app/inbox/triage-rows.ts';
import type {Rect} from '#app/layout/layout.ts';
import {blankLine, fittedLine, leftRightLine, rule, type UiLine, type UiSpan} from '#app/layout/ui-line.ts';
import {cursorRow} from '#app/lists/visible-rows.ts';
import {prefixLine} from '#content/styled-text/wrap.ts';
import {inboxKeyHintLines} from './inbox-key-hints.ts';
import {triageLine} from './triage-line.ts';

/** The folded group under the cursor. */
export function foldedGroup(frame: Frame): TriageTitle | undefined {
  const at = cursorRow(frame, 'inbox');
  if (at?.kind !== 'title') return undefined;
  return triageRows(frame).find((one): one is TriageTitle => one.kind === 'title' && one.key === at.key);
}

const itemsIn = memoByFrame(
  (frame) => [triageRows(frame), foldedGroup(frame)],
  (frame): readonly TriageItem[] => {
    const title = foldedGroup(frame);
    const isIn = (one: TriageRow): one is TriageItem =>
      one.kind === 'item' && one.inboxGroup === title?.inboxGroup;
    return triageRows(frame).filter(isIn);
  },
);

/** `5 conversations, 61 messages` */
function countsText(items: readonly TriageItem[]): string {
  const messages = items.reduce((sum, {count}) => sum + count, 0);
  return `${countedNoun(items.length, 'conversation')}, ${countedNoun(messages, 'message')}`;
}

/** `beside` the list, `below` it, or `alone`. */
export type GroupLinesPosition = 'beside' | 'below' | 'alone';

type Room = Pick<Rect, 'columns' | 'rows'>;

/**
 * What the group is, what is in it, so that nobody marks read or unfolds something unknown, and the keys that do that: a
 * heading, and lines for the rest of the place.
 */
export const groupLines = memoByFrame(
  (frame, title: TriageTitle, {columns, rows}: Room, place: GroupLinesPosition) => {
    const {display: looks, info: facts} = frame;
    return [itemsIn(frame), inboxCursorContext(frame), title, looks.glyphs, facts, columns, rows, place];
  },
  (frame, title: TriageTitle, rect: Room, place: GroupLinesPosition): readonly UiLine[] => [
    headingLine(frame, title, rect.columns, place),
    ...memberLines(frame, rect),
  ],
);

function headingLine(frame: Frame, title: TriageTitle, columns: number, place: GroupLinesPosition): UiLine {
  const {ellipsis} = uiGlyphs(frame.display);
  const name: UiSpan = {text: title.label, role: 'topic', bold: true};
  const counts = countsText(itemsIn(frame));
  if (place === 'below') {
    const glyph = frame.display.glyphs === 'ascii' ? '-' : '─';
    return rule(columns, {label: [name, {text: `  ${counts}`, role: 'dim'}], glyph, ellipsis});
  }
  const margin: UiSpan = {text: place === 'alone' ? ' ' : '', role: 'text'};
  return leftRightLine([margin, name], [{text: `${counts} `, role: 'dim'}], columns, {ellipsis});
}

function memberLines(frame: Frame, {columns, rows}: Room): readonly UiLine[] {
  const glyphs = uiGlyphs(frame.display);
  const items = itemsIn(frame);
  const keys = [blankLine, ...inboxKeyHintLines(frame, mostKeys, columns)];
  const room = Math.max(1, rows - keys.length);
  const shown = items.length <= room ? items : items.slice(0, Math.max(0, room - 1));
  const labels = shown.map(({label}) => conversationNameText(label, glyphs));
  const lines = shown.map((item, at) =>
    prefixLine(
      triageLine(item, {
        columns: columns - 1,
        glyphs,
        isFocused: false,
        isFolded: false,
        neighbours: [labels[at - 1], labels[at + 1]].flatMap((label) => label ?? []),
        label: (role) => [{text: labels[at] ?? '', role}],
      }),
      [{text: ' ', role: 'text'}],
    ),
  );
  const left = items.length - shown.length;
  const rest = fittedLine([{text: `      and ${left} more`, role: 'dim'}], columns, glyphs.ellipsis);
  return [...lines, ...(left === 0 ? [] : [rest]), ...keys].slice(0, rows);
}

const mostKeys = 3;
