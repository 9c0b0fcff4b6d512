import type {App} from '#app/core/app.ts';
import {changeFilter, clearFilter, closeFilterInput, listBeingFiltered} from '#app/lists/list-filter.ts';
import {setListCursor} from '#app/lists/move-in-list.ts';
import {openRow} from '#app/lists/open-row.ts';
import {cursorRow} from '#app/lists/visible-rows.ts';
import {moveCursor} from '#app/navigation/move-cursor.ts';
import {scrollCard} from '#app/overlays/cards.ts';
import {acceptPickerRow, changePickerField, movePicker, openedPicker} from '#app/overlays/picker.ts';
import {backspace, emptyLine, killWordBack, type TextField} from '#app/text/text-field.ts';
import type {KeyEvent} from '#terminal/input/input-events.ts';
import type {Command} from './command.ts';

const menu = (id: string, title: string, run: Command['run'], more: Partial<Command> = {}): Command => ({
  id,
  title,
  contexts: ['menu'],
  isKeyOnly: true,
  ...more,
  run,
});

/** The list whose filter is being typed, unless something lies over it. */
function typedFilter({screen}: App) {
  return screen.overlays.length > 0 ? undefined : listBeingFiltered(screen);
}

function changeField(app: App, change: (field: TextField) => TextField): void {
  if (typedFilter(app) !== undefined) changeFilter(app, change);
  else changePickerField(app, change);
}

function step(app: App, by: 1 | -1): void {
  if (openedPicker(app) !== undefined) movePicker(app, by);
  else if (app.screen.overlays.length > 0) scrollCard(app, by);
  else moveCursor(app, {by: 'item', step: by});
}

/** What was looked for is found: the list is whole again. */
function openFiltered(app: App): void {
  const id = typedFilter(app);
  const row = id === undefined ? undefined : cursorRow(app.frame, id);
  if (id === undefined || row === undefined) return;
  clearFilter(app, id);
  setListCursor(app, id, row.key);
  openRow(app, id, row);
}

function accept(app: App, press: KeyEvent | undefined): void {
  const how = press?.key.name === 'Tab' ? 'tab' : 'enter';
  if (typedFilter(app) === undefined) acceptPickerRow(app, how);
  else if (how === 'tab') closeFilterInput(app);
  else openFiltered(app);
}

function close(app: App): void {
  if (app.screen.overlays.length > 0) app.closeOverlay();
  else clearFilter(app);
}

export const menuCommands: readonly Command[] = [
  menu('menu.up', 'Previous entry', (app) => step(app, -1)),
  menu('menu.down', 'Next entry', (app) => step(app, 1)),
  menu('menu.accept', 'Choose entry', accept, {hint: 'choose', hints: {menu: 1}}),
  menu('menu.close', 'Close menu', close, {hint: 'close', hints: {menu: 2, 'menu card': 1}}),
  menu('menu.clear', 'Clear text', (app) => changeField(app, () => emptyLine)),
  menu('menu.delword', 'Delete previous word', (app) => changeField(app, killWordBack)),
  menu('menu.backspace', 'Delete previous character', (app) => changeField(app, backspace)),
];
