import {type ListedConversation, listedConversation, targetConversations} from '#ui/actions/action-target.ts';
import {paintedUnreadIds} from '#ui/actions/painted-frame.ts';
import type {App} from '#ui/core/app.ts';
import {suggestedTimes} from '#ui/format/moment-text.ts';
import {performRowAction} from '#ui/inbox/actions/perform-row-action.ts';
import {clearSelection} from '#ui/lists/act-and-advance.ts';
import {focusedList} from '#ui/lists/focused-list.ts';
import {changePickerField, openedPicker, openPicker} from '#ui/overlays/picker.ts';
import {setText} from '#ui/text/text-field.ts';
import type {Snooze, SnoozeUntil} from './snooze.ts';
import {isPersonRow, isSnoozeKey, parseSnoozeUntil, snoozeRows} from './snooze-choices.ts';
import {areSnoozesPersisted} from './snooze-store.ts';
import {untilText} from './snooze-text.ts';

interface SnoozeItem {
  readonly item: ListedConversation;
  /** The newest painted message: a later one may have arrived already. */
  readonly newestId: number;
}

function snoozableItem(app: App, item: ListedConversation): readonly SnoozeItem[] {
  const newestId = paintedUnreadIds(app, [item.key]).at(-1);
  return newestId === undefined ? [] : [{item, newestId}];
}

/** Opens the snooze menu for the conversations that the key refers to. */
export function openSnoozeMenu(app: App): void {
  openSnoozeMenuFor(app, targetConversations(app));
}

/** Opens the snooze menu: a key chooses a row, and a time or a person can be typed. */
export function openSnoozeMenuFor(app: App, targets: readonly ListedConversation[]): void {
  const items = targets.flatMap((item) => snoozableItem(app, item));
  const first = items[0]?.item;
  if (first === undefined) {
    app.toast('Nothing is unread there. Only unread conversations can be snoozed.', 'warning');
    return;
  }
  openPicker(app, {
    id: 'snooze',
    title: items.length === 1 ? `Snooze: ${first.label}` : `Snooze: ${items.length} conversations`,
    placeholder: suggestedTimes(app.state, 'mon 9:00, in 20 min, when Ann writes'),
    columns: 60,
    hint: 'Enter snoozes · g z lists what is snoozed',
    rows: snoozeRows,
    accept: (from, row) => {
      if (isPersonRow(row)) changePickerField(from, (field) => setText(field, row.key));
      else choose(from, items, row.key);
    },
    onKey: (from, {name, ctrl, alt}) => {
      const isTyped = ctrl !== true && alt !== true && openedPicker(from)?.field.text === '';
      if (!isTyped || !isSnoozeKey(name)) return false;
      choose(from, items, name);
      return true;
    },
  });
}

function choose(app: App, items: readonly SnoozeItem[], chosen: string): void {
  const until = parseSnoozeUntil(app.frame, chosen);
  if ('problem' in until) {
    app.toast(until.problem, 'warning');
    return;
  }
  app.closeOverlay();
  const current = items.flatMap((item) => currentItem(app, item));
  if (current.length > 0) snoozeItems(app, current, until);
  else app.toast('Already read elsewhere: nothing left to snooze.');
}

/** Returns the conversation that the menu was opened for under its current name; nothing if it was read meanwhile. */
function currentItem({state}: App, {item, newestId}: SnoozeItem): readonly SnoozeItem[] {
  const {conversations, byId} = state.unreads;
  const first = conversations.get(item.key)?.ids.first();
  if (first !== undefined && first <= newestId) return [{item, newestId}];
  const moved = conversations.get(byId.get(newestId) ?? '');
  return moved === undefined ? [] : [{item: listedConversation(state, moved.conversation), newestId}];
}

function snoozeItems(app: App, items: readonly SnoozeItem[], until: SnoozeUntil): void {
  const since = app.clock.now();
  const snoozes = items.map(({item, newestId}): Snooze => ({key: item.key, until, newestId, since}));
  const only = items.length === 1 ? items[0]?.item : undefined;
  const title = only?.label ?? `${items.length} conversations`;
  const keys = items.map(({item}) => item.key);
  const sessionNote = areSnoozesPersisted(app) ? '' : ' (this session only)';
  const label = `Snoozed ${title} ${untilText(app.frame, until)}${sessionNote}`;
  const id = focusedList(app.screen);
  performRowAction(app, {actionKind: 'snoozed', keys, snoozes, label, stays: id !== 'inbox'});
  if (id !== undefined) clearSelection(app, id);
}
