import {type ListedConversation, listedConversation, targetConversations} from '#app/actions/action-target.ts';
import {paintedUnreadIds} from '#app/actions/painted-frame.ts';
import type {App} from '#app/core/app.ts';
import type {Frame} from '#app/core/frame.ts';
import type {PickerRow} from '#app/core/overlay.ts';
import {dueText} from '#app/format/moment-text.ts';
import {parseMoment} from '#app/format/parse-moment.ts';
import {performRowAction} from '#app/inbox/actions/perform-row-action.ts';
import {clearSelection} from '#app/lists/act-and-advance.ts';
import {focusedList} from '#app/lists/focused-list.ts';
import {openPicker} from '#app/overlays/picker.ts';
import type {Snooze, SnoozeUntil} from './snooze.ts';
import {areSnoozesPersisted} from './snooze-store.ts';

/** A row of the snooze menu. */
interface SnoozeChoice {
  /** The key that chooses it. */
  readonly key: string;
  readonly label: string;
  readonly until: (frame: Frame) => SnoozeUntil;
}

const choices: readonly SnoozeChoice[] = [
  {key: 'Enter', label: 'Until the rest is done', until: () => ({kind: 'session'})},
  {key: '1', label: 'For 1 hour', until: (frame) => timeOf(frame, 'in 1 hour')},
  {key: 't', label: 'Until tomorrow', until: (frame) => timeOf(frame, 'tomorrow 9:00')},
  {key: 'm', label: 'Until the next message', until: () => ({kind: 'message'})},
];

function timeOf({minute, display}: Frame, text: string): SnoozeUntil {
  return {kind: 'time', at: parseMoment(text, minute, display.zone) ?? minute};
}

interface SnoozeItem {
  readonly item: ListedConversation;
  /** The newest painted message: a later one may have arrived already. */
  readonly newestId: number;
}

function snoozableItem(app: App, item: ListedConversation): readonly SnoozeItem[] {
  const newestId = paintedUnreadIds(app, [item.key]).at(-1);
  return newestId === undefined ? [] : [{item, newestId}];
}

/** Opens the snooze menu; each row is chosen with one key. */
export function openSnoozeMenu(app: App): void {
  const items = targetConversations(app).flatMap((item) => snoozableItem(app, item));
  const first = items[0]?.item;
  if (first === undefined) {
    app.toast('Nothing is unread there. Only unread conversations can be snoozed.', 'warning');
    return;
  }
  openPicker(app, {
    id: 'snooze',
    title: items.length === 1 ? `Snooze: ${first.label}` : `Snooze: ${items.length} conversations`,
    isMenu: true,
    columns: 52,
    rows: (frame) => choices.map((choice) => rowOf(frame, choice)),
    accept: (from, {key}) => choose(from, items, key),
    onKey: (from, {name, ctrl, alt}) => {
      const isChoice = ctrl !== true && alt !== true && name !== 'Enter' && choices.some(({key}) => key === name);
      if (isChoice) choose(from, items, name);
      return isChoice;
    },
  });
}

function rowOf(frame: Frame, {key, label, until}: SnoozeChoice): PickerRow {
  const when = until(frame);
  return {key, label, right: key, detail: when.kind === 'time' ? dueText(frame, when.at) : undefined};
}

function choose(app: App, items: readonly SnoozeItem[], chosen: string): void {
  app.closeOverlay();
  const choice = choices.find(({key}) => key === chosen);
  if (choice === undefined) return;
  const current = items.flatMap((item) => currentItem(app, item));
  if (current.length > 0) snoozeItems(app, current, choice.until(app.frame));
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

function untilText(frame: Frame, until: SnoozeUntil): string {
  switch (until.kind) {
    case 'time':
      return `until ${dueText(frame, until.at)}`;
    case 'message':
      return 'until the next message';
    default:
      return 'until the rest is done';
  }
}
