import {prefixLine} from '#content/styled-text/wrap.ts';
import type {DisplayOptions, Frame} from '#ui/core/frame.ts';
import type {KeyHint} from '#ui/core/key-guide.ts';
import {conversationNameText} from '#ui/format/conversation-name.ts';
import {countedNoun} from '#ui/format/counted-noun.ts';
import {uiGlyphs} from '#ui/format/ui-glyphs.ts';
import type {Rect} from '#ui/layout/layout.ts';
import {blankLine, fittedLine, leftRightLine, rule, type UiLine, type UiSpan} from '#ui/layout/ui-line.ts';
import {cursorRow} from '#ui/lists/visible-rows.ts';
import {inboxHints, keyHintLines} from './inbox-key-hints.ts';
import type {PreviewPlace} from './preview-heading.ts';
import {triageLine} from './triage-line.ts';
import type {TriageItem, TriageRow, TriageTitle} from './triage-row.ts';
import {triageRows} from './triage-rows.ts';

/** Returns the title of the folded group under the cursor. */
export function foldedGroup(frame: Frame): TriageTitle | undefined {
  const at = cursorRow(frame, 'inbox');
  if (at?.kind !== 'title') return undefined;
  return triageRows(frame).find((one): one is TriageTitle => one.kind === 'title' && one.key === at.key);
}

/** What the preview of a folded group is made of. */
export interface ShownGroup {
  readonly title: string;
  readonly items: readonly TriageItem[];
  readonly hints: readonly KeyHint[];
  readonly glyphs: DisplayOptions['glyphs'];
}

/**
 * Selects the folded group under the cursor: its conversations, and the keys that unfold it or mark it read, so that the user
 * sees what these keys act on.
 */
export function shownGroup(frame: Frame): ShownGroup | undefined {
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
export function groupHeading({title, items, glyphs}: ShownGroup, place: PreviewPlace, columns: number): UiLine {
  const {ellipsis} = uiGlyphs({glyphs});
  const name: UiSpan = {text: title, role: 'topic', bold: true};
  const counts = countsText(items);
  if (place === 'below') {
    const glyph = glyphs === 'ascii' ? '-' : '─';
    return rule(columns, {label: [name, {text: `  ${counts}`, role: 'dim'}], glyph, ellipsis});
  }
  const margin: UiSpan = {text: place === 'alone' ? ' ' : '', role: 'text'};
  return leftRightLine([margin, name], [{text: `${counts} `, role: 'dim'}], columns, {ellipsis});
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
