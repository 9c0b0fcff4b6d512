import {type DraftsTab, draftsTabs, type Frame} from '#ui/core/frame.ts';
import {blankLine, fittedLine, leftRightLine, type UiLine, type UiSpan} from '#ui/layout/ui-line.ts';
import type {ListSource} from '#ui/lists/list-source.ts';
import {type PanelRow, panelCounts, panelRows, shownDraftsTab} from './panel-rows.ts';

const names: Readonly<Record<DraftsTab, string>> = {
  drafts: 'Drafts',
  outbox: 'Outbox',
  scheduled: 'Scheduled',
  reminders: 'Reminders',
};
const shortNames: Readonly<Record<DraftsTab, string>> = {
  ...names,
  outbox: 'Out',
  scheduled: 'Later',
  reminders: 'Remind',
};
/** From this width on, the full names of all tabs fit. */
const wideColumns = 56;

const emptyTexts: Readonly<Record<DraftsTab, string>> = {
  drafts: 'No drafts. Unsent text is saved here.',
  outbox: 'The outbox is empty.',
  scheduled: 'No scheduled messages. Ctrl-X s in the composer schedules one.',
  reminders: 'No reminders. B on a message sets one.',
};

/** The drafts panel: drafts, the outbox, scheduled messages and reminders. */
export const draftsList: ListSource<PanelRow> = {
  rows: panelRows,
  line: (row, {columns, glyphs, label}) => {
    if (row.item === undefined) {
      return fittedLine([{text: `  ${row.label}`, role: 'dim'}], columns, glyphs.ellipsis);
    }
    const {note, noteRole = 'dim', when = '', isDestinationGone: isGone} = row;
    const right: UiSpan[] = [
      ...(note === undefined ? [] : [{text: `${note}  `, role: noteRole}]),
      {text: when, role: 'age'},
    ];
    const title = label(isGone === true ? 'destination_changed' : 'destination');
    return leftRightLine(title, right, columns, {
      ellipsis: glyphs.ellipsis,
      minLeft: Math.floor(columns / 2),
    });
  },
  headLines: (frame, columns) => [tabsLine(frame, columns), blankLine],
  keyPrefix: (frame) => `${shownDraftsTab(frame)}:`,
  emptyText: (frame) => emptyTexts[shownDraftsTab(frame)],
};

function tabsLine(frame: Frame, columns: number): UiLine {
  const counts = panelCounts(frame);
  const row = shownDraftsTab(frame);
  const isWide = columns >= wideColumns;
  const spans = draftsTabs.flatMap((tab, at): UiSpan[] => {
    const name = (isWide ? names : shortNames)[tab];
    const label = counts[tab] > 0 ? `${name} ${counts[tab]}` : name;
    return [
      {text: isWide ? '  ' : ' ', role: 'text'},
      {text: `${at + 1} `, role: 'dim'},
      {text: label, role: tab === row ? 'tab_active' : 'tab'},
    ];
  });
  return fittedLine(spans, columns);
}
