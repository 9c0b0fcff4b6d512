import {
  type ListedConversation,
  listedConversation,
  targetConversations,
} from '#app/actions/action-target.ts';
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

interface SnoozeChoice {
  /** The key that chooses it. */
  readonly key: string;
  readonly label: string;
  readonly until: (frame: Frame) => SnoozeUntil;
}

const choices: readonly SnoozeChoice[] = [
  {key: 'Enter', label: 'At the end, when nothing else is left', until: () => ({kind: 'session'})},
  {key: '1', label: 'In an hour', until: (frame) => timeOf(frame, 'in 1 hour')},
  {key: 't', label: 'Tomorrow', until: (frame) => timeOf(frame, 'tomorrow 9:00')},
  {key: 'm', label: 'With the next message', until: () => ({kind: 'message'})},
];

function timeOf({minute, display: looks}: Frame, written: string): SnoozeUntil {
  return {kind: 'time', at: parseMoment(written, minute, looks.zone) ?? minute};
}

interface SnoozeItem {
  readonly item: ListedConversation;
  /** The last message that was seen of it: the next one may be there already. */
  readonly newestId: number;
}

function snoozableItem(app: App, item: ListedConversation): readonly SnoozeItem[] {
  const newestId = paintedUnreadIds(app, [item.key]).at(-1);
  return newestId === undefined ? [] : [{item, newestId}];
}

/** Asks until when; each answer is one key. */
export function openSnoozeMenu(app: App): void {
  const items = targetConversations(app).flatMap((item) => snoozableItem(app, item));
  const first = items[0]?.item;
  if (first === undefined) {
    app.toast('Nothing is unread there: only what waits in the inbox can be put off.', 'warning');
    return;
  }
  openPicker(app, {
    id: 'later',
    title: items.length === 1 ? `Later: ${first.label}` : `Later: ${items.length} conversations`,
    isMenu: true,
    columns: 52,
    rows: (frame) => choices.map((choice) => rowOf(frame, choice)),
    accept: (from, {key}) => choose(from, items, key),
    onKey: (from, {name, ctrl, alt}) => {
      const isChoice =
        ctrl !== true && alt !== true && name !== 'Enter' && choices.some(({key}) => key === name);
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
  const left = items.flatMap((item) => currentItem(app, item));
  if (left.length > 0) snoozeItems(app, left, choice.until(app.frame));
  else app.toast('It was read elsewhere meanwhile: nothing is left to put off.');
}

/** What the menu was opened for, under the name that it has by now; nothing of what was read while one chose. */
function currentItem({state}: App, {item, newestId}: SnoozeItem): readonly SnoozeItem[] {
  const {conversations, byId} = state.unreads;
  const first = conversations.get(item.key)?.ids.first();
  if (first !== undefined && first <= newestId) return [{item, newestId}];
  const moved = conversations.get(byId.get(newestId) ?? '');
  return moved === undefined ? [] : [{item: listedConversation(state, moved.conversation), newestId}];
}

function snoozeItems(app: App, items: readonly SnoozeItem[], until: SnoozeUntil): void {
  const since = app.clock.now();
  const laters = items.map(({item, newestId}): Snooze => ({key: item.key, until, newestId, since}));
  const only = items.length === 1 ? items[0]?.item : undefined;
  const title = only?.label ?? `${items.length} conversations`;
  const keys = items.map(({item}) => item.key);
  const lasting = areSnoozesPersisted(app) ? '' : ', in this session only';
  const label = `Later: ${title}, back ${untilText(app.frame, until)}${lasting}`;
  const id = focusedList(app.screen);
  performRowAction(app, {actionKind: 'later', keys, snoozes: laters, label, stays: id !== 'inbox'});
  if (id !== undefined) clearSelection(app, id);
}

function untilText(frame: Frame, until: SnoozeUntil): string {
  switch (until.kind) {
    case 'time': {
      const text = dueText(frame, until.at);
      return /^\d/.test(text) ? `at ${text}` : text;
    }
    case 'message':
      return 'with the next message';
    default:
      return 'at the end';
  }
}
