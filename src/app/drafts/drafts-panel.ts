import type {Frame} from '#app/core/frame.ts';
import {type DraftsTab, draftsTabs} from '#app/core/view.ts';
import {blankLine, fittedLine, leftRightLine, type UiLine, type UiSpan} from '#app/layout/ui-line.ts';
import type {ListSource} from '#app/lists/list-source.ts';
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
/** From here on the names of all tabs have room. */
const wide = 56;

const emptyTexts: Readonly<Record<DraftsTab, string>> = {
  drafts: 'No drafts. What you write and do not send is kept here.',
  outbox: 'Nothing is waiting to be sent.',
  scheduled: 'Nothing is scheduled. Ctrl-X s in the composer sends a message later.',
  reminders: 'No reminders. B on a message asks for one.',
};

/** What one wrote and nobody else has: drafts, messages on their way, scheduled ones, reminders. */
export const draftsList: ListSource<PanelRow> = {
  rows: panelRows,
  line: (shown, {columns, glyphs, label}) => {
    if (shown.item === undefined) {
      return fittedLine([{text: `  ${shown.label}`, role: 'dim'}], columns, glyphs.ellipsis);
    }
    const {note, noteRole = 'dim', when = '', isDestinationGone: isGone} = shown;
    const right: UiSpan[] = [
      ...(note === undefined ? [] : [{text: `${note}  `, role: noteRole}]),
      {text: when, role: 'age'},
    ];
    const title = label(isGone === true ? 'destination_changed' : 'destination');
    return leftRightLine(title, right, columns, {
      ellipsis: glyphs.ellipsis,
      leastLeft: Math.floor(columns / 2),
    });
  },
  headLines: (frame, columns) => [tabsLine(frame, columns), blankLine],
  keyPrefix: (frame) => `${shownDraftsTab(frame)}:`,
  emptyText: (frame) => emptyTexts[shownDraftsTab(frame)],
};

function tabsLine(frame: Frame, columns: number): UiLine {
  const counts = panelCounts(frame);
  const shown = shownDraftsTab(frame);
  const isWide = columns >= wide;
  const spans = draftsTabs.flatMap((tab, at): UiSpan[] => {
    const name = (isWide ? names : shortNames)[tab];
    const label = counts[tab] > 0 ? `${name} ${counts[tab]}` : name;
    return [
      {text: isWide ? '  ' : ' ', role: 'text'},
      {text: `${at + 1} `, role: 'dim'},
      {text: label, role: tab === shown ? 'tab_active' : 'tab'},
    ];
  });
  return fittedLine(spans, columns);
}
