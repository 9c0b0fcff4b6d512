import type {App} from '#app/core/app.ts';
import {
  activateFormRow,
  changeFormText,
  changeSideways,
  isTypingInForm,
  removeLastEntry,
  stepInForm,
  toggleOrOpen,
} from '#app/forms/edit-form.ts';
import {closeAndKeepForm, discardFormChanges, moveFormFocus, pageInForm, saveForm} from '#app/forms/open-form.ts';
import {pageInboxPreview} from '#app/inbox/scroll-preview.ts';
import {changeFilter, clearFilter, closeFilterInput} from '#app/lists/change-list.ts';
import {nextUnreadRow, setListCursor} from '#app/lists/move-in-list.ts';
import {moveInMessages} from '#app/message-pane/move-in-messages.ts';
import {goToFirstUnread, openDatePicker, openMessageLinkPicker} from '#app/message-pane/selection.ts';
import {openConversation} from '#app/navigation/navigation.ts';
import {openRow} from '#app/navigation/open-row.ts';
import {scrollCard} from '#app/overlays/cards.ts';
import {acceptPickerRow, changePickerField, movePicker, pageInPicker} from '#app/overlays/picker.ts';
import {moveCursor} from '#app/panes/pane-focus.ts';
import {appsOfSelection, inEach} from '#app/targets/selection.ts';
import {markUnread} from '#app/triage/mark-done.ts';
import {skipRows, triageTargets} from '#app/triage/perform-row-action.ts';
import {pageOrOpenNext} from '#app/triage/read-to-end.ts';
import {
  hasOtherUnread,
  nextUnreadConversation,
  type UnreadKind,
  walkToNextUnread,
  walkToPreviousStep,
} from '#app/triage/unread-walk.ts';
import type {KeyEvent} from '#terminal/input/input-events.ts';
import type {AppReader} from '#ui/core/app-reader.ts';
import type {Motion} from '#ui/core/motion.ts';
import {openedForm} from '#ui/forms/form-view.ts';
import {inboxList} from '#ui/inbox/inbox-list.ts';
import {filteredList, focusedList, mainList} from '#ui/list-table.ts';
import type {ListSource} from '#ui/lists/list-source.ts';
import {cursorRow} from '#ui/lists/visible-rows.ts';
import {selectedMessage} from '#ui/message-pane/selected-message.ts';
import {canChoose, openedPicker, pickerRows} from '#ui/overlays/picker-rows.ts';
import {backspace, clear, killWordBack, type TextField} from '#ui/text/text-field.ts';
import {type Command, command, inConversationLists} from './command.ts';

const motionCommand = (id: string, title: string, motion: Motion, more: Partial<Command> = {}) =>
  command(id, title, (app) => moveCursor(app, motion), {isKeyOnly: true, worksBeforeFirstPaint: true, ...more});

export const movementCommands: readonly Command[] = [
  motionCommand('move.down', 'Next row or message', {by: 'item', step: 1}, {aliases: ['down']}),
  motionCommand('move.up', 'Previous row or message', {by: 'item', step: -1}, {aliases: ['up']}),
  motionCommand('page.down', 'Page down', {by: 'page', step: 1}),
  motionCommand('page.up', 'Page up', {by: 'page', step: -1}),
  motionCommand('page.half.down', 'Half page down', {by: 'half', step: 1}),
  motionCommand('page.half.up', 'Half page up', {by: 'half', step: -1}),
  motionCommand('scroll.line.down', 'Scroll one line down', {by: 'line', step: 1}),
  motionCommand('scroll.line.up', 'Scroll one line up', {by: 'line', step: -1}),
  motionCommand(
    'move.last',
    'Go to the end; marks a conversation read',
    {to: 'last'},
    {aliases: ['bottom', 'end', 'newest']},
  ),
  motionCommand('move.first', 'Go to the start', {to: 'first'}, {aliases: ['top', 'start', 'beginning', 'oldest']}),
  {
    id: 'scroll.page',
    title: 'Scroll one page',
    contexts: ['global'],
    isKeyOnly: true,
    run: (app, press) => {
      const step = press?.key.name === 'PageUp' ? -1 : 1;
      if (openedPicker(app) !== undefined) pageInPicker(app, step);
      else if (openedForm(app) !== undefined) pageInForm(app, step);
      else if (mainList(app.screen.view) === inboxList) pageInboxPreview(app, step);
      else moveInMessages(app, {by: 'page', step});
    },
  },
];

const noMessageView = (app: AppReader) =>
  app.screen.view.kind === 'messages' ? undefined : 'Open a conversation first';

/** Commands that move through messages and mark them unread. */
export const messageNavigationCommands: readonly Command[] = [
  command('read.on', 'Page down; at the end, next unread conversation', pageOrOpenNext, {
    aliases: ['read on', 'next page'],
    contexts: ['msgs'],
    hint: 'read on',
    hints: {msgs: 2},
  }),
  command('mark.unread', 'Mark unread from here', markUnread, {
    aliases: ['mark as unread', 'keep unread'],
    messageMenu: {group: 'react', position: 6},
    actsOnSelection: 'all',
    isAboutRow: true,
    disabledReason: (app) => {
      if (app.info.isReadOnly || app.info.isExploring) return 'Nothing is marked unread in this session';
      if (focusedList(app.screen) !== undefined || selectedMessage(app) !== undefined) return undefined;
      return 'No message is selected';
    },
  }),
  command('go.unread', 'Go to the first unread message', goToFirstUnread, {
    aliases: ['jump to unread'],
    contexts: ['msgs'],
    disabledReason: noMessageView,
  }),
  command('view.date', 'Go to a date', openDatePicker, {aliases: ['day', 'calendar', 'jump to date', 'time']}),
  command('go.link', 'Go to message link', openMessageLinkPicker, {aliases: ['permalink', 'paste link', 'url']}),
];

const noneLeft: Readonly<Record<UnreadKind, string>> = {
  topic: 'No other unread topic',
  followed: 'No other unread followed topic',
  direct: 'No other unread direct message',
};

function isInSearch({screen}: AppReader): boolean {
  return screen.view.kind === 'messages' && screen.view.query !== undefined && focusedList(screen) === undefined;
}

/** Opens the next unread conversation of a kind. */
function goToUnread(app: App, kind: UnreadKind): void {
  const next = nextUnreadConversation(app, kind);
  if (next === undefined) app.toast(noneLeft[kind]);
  else openConversation(app, next);
}

/** Moves to the next hit of a search or to the next unread row of a list, or opens the next unread topic elsewhere. */
function goToUnreadTopic(app: App): void {
  if (isInSearch(app)) {
    moveInMessages(app, {by: 'item', step: 1});
    return;
  }
  const list = focusedList(app.screen);
  if (list?.id === 'inbox') inEach(app, appsOfSelection(app), skipRows);
  else if (list === undefined || list.id === 'drafts') goToUnread(app, 'topic');
  else goToUnreadRow(app, list);
}

function goToUnreadRow(app: App, list: ListSource): void {
  const next = nextUnreadRow(app.frame, list);
  if (next === undefined) app.toast('No other unread row in this list');
  else setListCursor(app, list, next.key);
}

function hasUnreadAhead(app: AppReader): boolean {
  // Its hint would be wrong there.
  if (isInSearch(app)) return false;
  const list = focusedList(app.screen);
  if (list?.id === 'inbox') return triageTargets(app).length > 0;
  return list === undefined || list.id === 'drafts'
    ? hasOtherUnread(app, 'topic')
    : nextUnreadRow(app.frame, list) !== undefined;
}

export const unreadWalkCommands: readonly Command[] = [
  command('unread.next.topic', 'Next unread topic; in a search the next hit', goToUnreadTopic, {
    aliases: ['skip', 'keep unread'],
    hint: 'next unread',
    hints: {msgs: 4, inbox: [4, 'skip (stays unread)'], ...inConversationLists(4)},
    hasEffect: hasUnreadAhead,
  }),
  command('unread.next.followed', 'Next unread followed topic; in a search the hit before', (app) => {
    if (isInSearch(app)) moveInMessages(app, {by: 'item', step: -1});
    else goToUnread(app, 'followed');
  }),
  command('unread.next.dm', 'Next unread direct message', (app) => goToUnread(app, 'direct')),
  command('unread.next.smart', 'Next important unread', walkToNextUnread, {
    aliases: ['next unread', 'jump to unread'],
    contexts: ['global'],
  }),
  command('unread.prev.smart', 'Previous important unread', walkToPreviousStep, {contexts: ['global']}),
];

const menuCommand: typeof command = (id, title, run, more) =>
  command(id, title, run, {contexts: ['menu'], isKeyOnly: true, ...more});

/** Returns the list whose filter has the keys: not one that is covered by an overlay. */
function activeFilterList({screen}: App) {
  return screen.overlays.length > 0 ? undefined : filteredList(screen);
}

function changeField(app: App, change: (field: TextField) => TextField): void {
  if (activeFilterList(app) !== undefined) changeFilter(app, change);
  else if (openedForm(app) !== undefined) changeFormText(app, change);
  else changePickerField(app, change);
}

/** Deletes a character; on a field of a form with several entries, the last of them. */
function eraseBack(app: App): void {
  if (openedForm(app) !== undefined && !isTypingInForm(app)) removeLastEntry(app);
  else changeField(app, backspace);
}

function step(app: App, by: 1 | -1): void {
  if (openedPicker(app) !== undefined) movePicker(app, by);
  else if (app.screen.overlays.length > 0) scrollCard(app, by);
  else moveCursor(app, {by: 'item', step: by});
}

/** Opens the row under the cursor of a filtered list and clears the filter. */
function openFiltered(app: App): void {
  const list = activeFilterList(app);
  const row = list && cursorRow(app.frame, list);
  if (list === undefined || row === undefined) return;
  clearFilter(app, list.id);
  setListCursor(app, list, row.key);
  openRow(app, list, row);
}

function accept(app: App, press: KeyEvent | undefined): void {
  const acceptKey = press?.key.name === 'Tab' ? 'tab' : 'enter';
  if (activeFilterList(app) === undefined) acceptPickerRow(app, acceptKey);
  else if (acceptKey === 'tab') closeFilterInput(app);
  else openFiltered(app);
}

/** Whether there is a row to choose. */
function canAccept(app: AppReader): boolean {
  const open = openedPicker(app);
  if (open !== undefined) return canChoose(pickerRows(app.frame, open), open.cursor);
  const list = filteredList(app.screen);
  return list !== undefined && cursorRow(app.frame, list) !== undefined;
}

function close(app: App): void {
  if (app.screen.overlays.length > 0) app.closeOverlay();
  else clearFilter(app);
}

const inForms = {contexts: ['menu', 'form']} as const;

export const menuCommands: readonly Command[] = [
  menuCommand('menu.up', 'Previous entry', (app) => step(app, -1)),
  menuCommand('menu.down', 'Next entry', (app) => step(app, 1)),
  menuCommand('menu.accept', 'Choose entry', accept, {
    hint: 'choose',
    hints: {menu: 1},
    hasEffect: canAccept,
  }),
  menuCommand('menu.close', 'Close menu', close, {hint: 'close', hints: {menu: 2, 'menu card': 1}}),
  menuCommand('menu.clear', 'Clear text', (app) => changeField(app, clear), inForms),
  menuCommand('menu.delword', 'Delete previous word', (app) => changeField(app, killWordBack), inForms),
  menuCommand('menu.backspace', 'Delete previous character', eraseBack, inForms),
];

const formCommand: typeof command = (id, title, run, more) =>
  command(id, title, run, {contexts: ['form'], isKeyOnly: true, ...more});

export const formCommands: readonly Command[] = [
  formCommand(
    'form.next',
    'Next field',
    (app, press) => (press?.key.name === 'Tab' ? moveFormFocus(app, 1) : stepInForm(app, 1)),
    {hint: 'next', hints: {form: 2}},
  ),
  formCommand('form.prev', 'Previous field', (app, press) =>
    press?.key.name === 'Tab' ? moveFormFocus(app, -1) : stepInForm(app, -1),
  ),
  formCommand('form.activate', 'Choose, or go to the next field', activateFormRow, {hint: 'choose', hints: {form: 3}}),
  formCommand('form.toggle', 'Turn on or off, or show the choices', (app) => toggleOrOpen(app)),
  formCommand('form.left', 'Previous choice, or move left', (app) => changeSideways(app, -1)),
  formCommand('form.right', 'Next choice, or move right', (app) => changeSideways(app, 1)),
  formCommand('form.save', 'Submit the form', saveForm, {aliases: ['save form'], hint: 'save', hints: {form: 1}}),
  formCommand('form.discard', 'Discard unsaved changes', discardFormChanges, {
    aliases: ['revert', 'reset'],
    hint: 'discard',
    hints: {form: 5},
  }),
  formCommand('form.close', 'Close the form; changes are kept', closeAndKeepForm, {hint: 'close', hints: {form: 4}}),
];
