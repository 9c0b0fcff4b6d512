import {inboxList} from '#ui/inbox/triage-rows.ts';
import {filterCursor} from '#ui/lists/filter-line.ts';
import {selectedListRow} from '#ui/lists/list-position.ts';
import {chosenCompletion} from './completion-menu/completion-menu.ts';
import {composerCursor} from './composer/composer-lines.ts';
import type {Frame} from './core/frame.ts';
import {triageItemUnderCursor} from './inbox/inbox-preview.ts';
import {isInboxEmpty} from './inbox/inbox-summary.ts';
import {foldedGroup} from './inbox/preview-heading.ts';
import {
  type CursorPosition,
  type Layout,
  type Rect,
  type SelectedRows,
  type SpokenRows,
  triageLayout,
} from './layout/layout.ts';
import {filteredList, focusedList} from './list-table.ts';
import {cursorRow} from './lists/visible-rows.ts';
import {selectedMessageRows} from './message-pane/shown-timeline.ts';
import {overlayCursor, selectedOverlayRows} from './overlay-position.ts';
import {screenLayout} from './screen-layout.ts';

/**
 * The terminal cursor's position: in the text being edited, where input methods follow it, or else at the selected row or
 * message, where screen readers and braille displays do.
 */
export function terminalCursorPosition(frame: Frame): CursorPosition | undefined {
  const layout = screenLayout(frame);
  if (layout.size === 'tooSmall') return undefined;
  const edited = editedText(frame, layout);
  const isSpoken = frame.display.glyphs === 'words';
  if (edited !== undefined && !isSpoken) return edited;
  const selected = selectedRows(frame, layout);
  if (!isSpoken) return selected && {x: selected.x, y: selected.y, isHidden: true};
  const at = edited ?? selected;
  return at && {x: at.x, y: at.y, spoken: {...spokenRows(selected), editedRow: edited?.y}};
}

function spokenRows({key = '', y, rows, leadRows = 0, rowsAfter = 0}: SelectedRows = nothing): SpokenRows {
  return key === '' ? {key, y: 0, rows: 0, rowsAfter: 0} : {key, y: y - leadRows, rows: rows + leadRows, rowsAfter};
}

const nothing: SelectedRows = {x: 0, y: 0, rows: 0};

function editedText(frame: Frame, layout: Layout): CursorPosition | undefined {
  if (frame.screen.overlays.length > 0) return overlayCursor(frame);
  const list = filteredList(frame.screen);
  return (list && filterCursor(frame, list, layout)) ?? composerCursor(frame, layout);
}

/** Returns the rows that show what the next key acts on. */
export function selectedRows(frame: Frame, layout: Layout): SelectedRows | undefined {
  const {screen} = frame;
  if (screen.overlays.length > 0) return selectedOverlayRows(frame);
  switch (screen.focus) {
    case 'composer':
      return chosenCompletion(frame) ?? composerPart(frame, layout);
    case 'banner':
      return firstRow(layout.banner);
    case 'connection':
      return firstRow(layout.header);
    case 'main':
      if (screen.view.kind === 'messages') return selectedMessageRows(frame, layout.main);
      if (screen.view.kind === 'triage') return triageHeading(frame, layout);
      break;
    default:
  }
  const list = focusedList(screen);
  if (list?.id === 'inbox' && isInboxEmpty(frame)) return firstRow(layout.main, 1);
  return list === undefined ? undefined : selectedListRow(frame, list, layout);
}

/** A field for the destination is spoken when it gets the focus; the text of the message is not spoken again. */
function composerPart(frame: Frame, layout: Layout): SelectedRows | undefined {
  const at = firstRow(layout.composer);
  const {activePart} = frame.screen.composer;
  if (at === undefined || activePart === 'text') return at;
  return {...at, y: composerCursor(frame, layout)?.y ?? at.y, key: `composer ${activePart}`};
}

function firstRow(rect: Rect | undefined, row = 0): SelectedRows | undefined {
  return rect && {x: rect.x, y: rect.y + Math.min(row, rect.rows - 1), rows: 1};
}

/** Triage shows one conversation: its heading says which. */
function triageHeading(frame: Frame, layout: Layout): SelectedRows | undefined {
  const {main} = layout;
  if (isInboxEmpty(frame)) return firstRow(main, 1);
  const hasHeading = (triageItemUnderCursor(frame) ?? foldedGroup(frame)) !== undefined;
  if (!hasHeading) return selectedListRow(frame, inboxList, layout);
  const {heading, preview} = triageLayout(main);
  const {x, y} = heading ?? preview;
  return {x, y, rows: main.rows, key: `triage ${cursorRow(frame, inboxList)?.key}`};
}
