import {prefixLine} from '#content/styled-text/wrap.ts';
import type {Frame} from '#ui/core/frame.ts';
import {memoByFrame} from '#ui/core/memo-by-frame.ts';
import {conversationNameText} from '#ui/format/conversation-name.ts';
import {countedNoun} from '#ui/format/counted-noun.ts';
import {uiGlyphs} from '#ui/format/ui-glyphs.ts';
import type {Rect} from '#ui/layout/layout.ts';
import {blankLine, fittedLine, leftRightLine, rule, type UiLine, type UiSpan} from '#ui/layout/ui-line.ts';
import {cursorRow} from '#ui/lists/visible-rows.ts';
import {inboxKeyHintLines} from './inbox-key-hints.ts';
import {triageLine} from './triage-line.ts';
import type {TriageItem, TriageRow, TriageTitle} from './triage-row.ts';
import {triageRows} from './triage-rows.ts';

/** Returns the title of the folded group under the cursor. */
export function foldedGroup(frame: Frame): TriageTitle | undefined {
  const at = cursorRow(frame, 'inbox');
  if (at?.kind !== 'title') return undefined;
  return triageRows(frame).find((one): one is TriageTitle => one.kind === 'title' && one.key === at.key);
}

const itemsIn = memoByFrame(
  (frame) => [triageRows(frame), foldedGroup(frame)],
  (frame): readonly TriageItem[] => {
    const title = foldedGroup(frame);
    const isIn = (one: TriageRow): one is TriageItem => one.kind === 'item' && one.inboxGroup === title?.inboxGroup;
    return triageRows(frame).filter(isIn);
  },
);

/** Returns `5 conversations, 61 messages`. */
function countsText(items: readonly TriageItem[]): string {
  const messages = items.reduce((sum, {count}) => sum + count, 0);
  return `${countedNoun(items.length, 'conversation')}, ${countedNoun(messages, 'message')}`;
}

/** The position of the lines: beside the list, below it, or without it (triage). */
export type GroupLinesPosition = 'beside' | 'below' | 'alone';

type PaneSize = Pick<Rect, 'columns' | 'rows'>;

/**
 * The lines for a folded group: a heading, its conversations, and the keys that unfold it or mark it read, so
 * that the user sees what these keys act on.
 */
export const groupLines = memoByFrame(
  (frame, title: TriageTitle, {columns, rows}: PaneSize, position: GroupLinesPosition) => {
    const {display, info} = frame;
    const hints = info.keys?.inboxHints(frame);
    return [itemsIn(frame), hints, title, display.glyphs, info, columns, rows, position];
  },
  (frame, title: TriageTitle, rect: PaneSize, position: GroupLinesPosition): readonly UiLine[] => [
    headingLine(frame, title, rect.columns, position),
    ...memberLines(frame, rect),
  ],
);

function headingLine(frame: Frame, title: TriageTitle, columns: number, position: GroupLinesPosition): UiLine {
  const {ellipsis} = uiGlyphs(frame.display);
  const name: UiSpan = {text: title.label, role: 'topic', bold: true};
  const counts = countsText(itemsIn(frame));
  if (position === 'below') {
    const glyph = frame.display.glyphs === 'ascii' ? '-' : '─';
    return rule(columns, {label: [name, {text: `  ${counts}`, role: 'dim'}], glyph, ellipsis});
  }
  const margin: UiSpan = {text: position === 'alone' ? ' ' : '', role: 'text'};
  return leftRightLine([margin, name], [{text: `${counts} `, role: 'dim'}], columns, {ellipsis});
}

function memberLines(frame: Frame, {columns, rows}: PaneSize): readonly UiLine[] {
  const glyphs = uiGlyphs(frame.display);
  const items = itemsIn(frame);
  const keys = [blankLine, ...inboxKeyHintLines(frame, maxKeys, columns)];
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

const maxKeys = 3;
