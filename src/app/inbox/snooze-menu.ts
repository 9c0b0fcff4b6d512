import type {App} from '#app/core/app.ts';
import {inUndoGroup} from '#app/core/undo-group.ts';
import {openRecordList, recordAction, viewAction} from '#app/forms/record-list.ts';
import {clearSelection} from '#app/lists/move-in-list.ts';
import {openConversation} from '#app/navigation/navigation.ts';
import {changePickerField, openPicker} from '#app/overlays/picker.ts';
import {areSnoozesPersisted, changeSnoozes, readSnoozes, showSnoozes} from '#app/snoozes/snooze-store.ts';
import {
  type ListedConversation,
  listedConversation,
  paintedUnreadIds,
  targetConversations,
} from '#app/targets/action-target.ts';
import {appsOfSelection, inEach, resultsOf} from '#app/targets/selection.ts';
import {performRowAction} from '#app/triage/perform-row-action.ts';
import type {Conversation, ConversationKey} from '#state/model/conversation.ts';
import {findUser} from '#state/selectors/names/find-by-name.ts';
import {conversationRowTitle} from '#state/selectors/names/names.ts';
import {composed} from '#std/composed-text.ts';
import {parseMoment} from '#std/parse-moment.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {PickerRow} from '#ui/core/overlay.ts';
import {withUndoKey} from '#ui/core/toast-message.ts';
import {endSnoozes, type Snooze, type SnoozeUntil} from '#ui/inbox/snooze/snooze.ts';
import {returnWhenText, snoozesByDueTime, untilText} from '#ui/inbox/snooze/snooze-text.ts';
import {focusedList} from '#ui/list-table.ts';
import {openedPicker} from '#ui/overlays/picker-rows.ts';
import {setText} from '#ui/text/text-field.ts';
import {countedNoun} from '#wording/counted-noun.ts';
import {dueText, suggestedTimes} from '#wording/moment-text.ts';

interface SnoozeItem {
  /** The account of the conversation. */
  readonly owner: App;
  readonly item: ListedConversation;
  /** The newest painted message: a later one may have arrived already. */
  readonly newestId: number;
}

function snoozableItem(owner: App, item: ListedConversation): readonly SnoozeItem[] {
  const newestId = paintedUnreadIds(owner, [item.key]).at(-1);
  return newestId === undefined ? [] : [{owner, item, newestId}];
}

/** Opens the snooze menu for the conversations that the key refers to. */
export function openSnoozeMenu(app: App): void {
  const items: SnoozeItem[] = [];
  inEach(app, appsOfSelection(app), (owner) => {
    for (const item of targetConversations(owner)) items.push(...snoozableItem(owner, item));
  });
  openSnoozeMenuFor(app, items);
}

/** Opens the snooze menu: a key chooses a row, and a time or a person can be typed. */
function openSnoozeMenuFor(app: App, items: readonly SnoozeItem[]): void {
  const first = items[0]?.item;
  if (first === undefined) {
    app.toast('Nothing is unread there. Only unread conversations can be snoozed.', 'warning');
    return;
  }
  openPicker(app, {
    id: 'snooze',
    title: items.length === 1 ? composed`Snooze: ${first.label}` : `Snooze: ${items.length} conversations`,
    placeholder: suggestedTimes(app.state, 'mon 9:00, in 20 min, when Ann writes', app.display.locale),
    columns: 60,
    hint: {Enter: 'snoozes', 'g z': 'lists what is snoozed'},
    rows: snoozeRows,
    accept: (from, row) => {
      if (row.key === personRow.key) changePickerField(from, (field) => setText(field, row.key));
      else choose(from, items, row.key);
    },
    onKey: (from, {name, ctrl, alt}) => {
      const isTyped = ctrl !== true && alt !== true && openedPicker(from)?.field.text === '';
      if (!isTyped || choices.every(({key}) => key !== name)) return false;
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
  const byOwner = Map.groupBy(items.flatMap(currentItem), ({owner}) => owner);
  if (byOwner.size === 0) app.toast('Already read elsewhere: nothing left to snooze.');
  inUndoGroup(() => {
    inEach(app, [...byOwner.keys()], (owner) => snoozeItems(owner, byOwner.get(owner) ?? [], until));
  });
  const isOwn = byOwner.size === 1 && byOwner.has(app);
  if (byOwner.size > 0 && !isOwn) app.toast(withUndoKey(resultsOf([...byOwner.keys()])));
}

/** Returns the conversation that the menu was opened for under its current name; nothing if it was read meanwhile. */
function currentItem({owner, item, newestId}: SnoozeItem): readonly SnoozeItem[] {
  const {state} = owner;
  const {conversations, byId} = state.unreads;
  const first = conversations.get(item.key)?.ids.first();
  if (first !== undefined && first <= newestId) return [{owner, item, newestId}];
  const moved = conversations.get(byId.get(newestId) ?? '');
  return moved === undefined ? [] : [{owner, item: listedConversation(state, moved.conversation), newestId}];
}

function snoozeItems(app: App, items: readonly SnoozeItem[], until: SnoozeUntil): void {
  const since = app.clock.now();
  const snoozes = items.map(({item, newestId}): Snooze => ({key: item.key, until, newestId, since}));
  const only = items.length === 1 ? items[0]?.item : undefined;
  const title = only?.label ?? `${items.length} conversations`;
  const keys = items.map(({item}) => item.key);
  const sessionNote = areSnoozesPersisted(app) ? '' : ' (this session only)';
  const label = composed`Snoozed ${title} ${untilText(app.frame, until)}${sessionNote}`;
  const list = focusedList(app.screen);
  performRowAction(app, {actionKind: 'snoozed', keys, snoozes, label, stays: list?.id !== 'inbox'});
  if (list !== undefined) clearSelection(app, list);
}

/** A row of the snooze menu. */
interface SnoozeChoice {
  /** The key that chooses it while nothing is typed: no letter with which a time in words begins. */
  readonly key: string;
  readonly label: string;
  /** Typed, it finds the row. */
  readonly word: string;
  readonly until: (frame: Frame) => SnoozeUntil;
}

const choices: readonly SnoozeChoice[] = [
  {key: 'b', label: 'Until the rest is done', word: 'rest', until: () => ({kind: 'session'})},
  {key: 'h', label: 'For 1 hour', word: '1 hour', until: (frame) => timeOf(frame, 'in 1 hour')},
  {key: 'd', label: 'Until tomorrow', word: 'tomorrow', until: (frame) => timeOf(frame, 'tomorrow 9:00')},
  {key: 'n', label: 'Until the next message', word: 'message', until: () => ({kind: 'message'})},
];

/** Choosing this row types its key. */
const personRow: PickerRow = {key: 'when ', label: 'Until somebody writes…', detail: 'type “when” and a name'};

function timeOf({minute, display}: Frame, text: string): SnoozeUntil {
  return {kind: 'time', at: parseMoment(text, minute, display.zone, display.locale) ?? minute};
}

/** Returns what a row of the menu or a typed text means: `mon 9`, `in 20 min`, `when Maren writes`; or why it is nothing. */
function parseSnoozeUntil(frame: Frame, text: string): SnoozeUntil | {readonly problem: string} {
  const choice = choices.find(({key}) => key === text);
  if (choice !== undefined) return choice.until(frame);
  const {account, minute, display} = frame;
  const name = /^when\b(.*?)(?:\bwrites?)?$/i.exec(text.trim())?.[1]?.trim();
  if (name !== undefined) {
    if (name === '') return {problem: 'Type a name: “when Ann writes”'};
    const lookup = findUser(account, name);
    return 'found' in lookup ? {kind: 'person', userId: lookup.found.id, afterId: account.maxMessageId} : lookup;
  }
  const at = parseMoment(text, minute, display.zone, display.locale);
  if (at === undefined) return {problem: composed`“${text.trim()}”: try “mon 9”, “in 20 min”, “when Ann writes”`};
  return at > minute ? {kind: 'time', at} : {problem: 'This time has passed'};
}

/** Returns the rows of the menu: the usual choices, or what was typed and the choices that it may mean. */
function snoozeRows(frame: Frame, query: string): readonly PickerRow[] {
  const written = query.trim();
  if (written === '') return [...choices.map((choice) => choiceRow(frame, choice)), personRow];
  const found = choices.filter(({word}) => word.startsWith(written.toLowerCase()));
  const until = parseSnoozeUntil(frame, written);
  const rows = found.map((choice) => choiceRow(frame, choice));
  if (!('problem' in until)) return [typedRow(frame, written, until), ...rows];
  return rows.length > 0 ? rows : [{key: 'none', label: until.problem, disabled: until.problem}];
}

function choiceRow(frame: Frame, {key, label, until}: SnoozeChoice): PickerRow {
  const when = until(frame);
  return {key, label, right: key, detail: when.kind === 'time' ? dueText(frame, when.at) : undefined};
}

function typedRow(frame: Frame, written: string, until: SnoozeUntil): PickerRow {
  if (until.kind !== 'person') return {key: written, label: written, detail: untilText(frame, until)};
  return {key: written, label: sentence(untilText(frame, until)), detail: 'here, or to you directly'};
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Opens the list of all snoozed conversations, in the order of their return. */
export function openSnoozedList(app: App): void {
  // The inbox may not have been shown yet.
  showSnoozes(app, readSnoozes(app));
  openRecordList(app, {
    id: 'snoozed',
    title: 'Snoozed conversations',
    columns: 76,
    empty: 'Nothing is snoozed.',
    rows: (frame) =>
      snoozesByDueTime(frame).flatMap((entry) => {
        const {account} = frame;
        const unread = account.unreads.conversations.get(entry.key);
        if (unread === undefined) return [];
        const label = conversationRowTitle(account, unread.conversation);
        const detail = `${returnWhenText(frame, entry)} · ${countedNoun(unread.ids.size, 'unread message')}`;
        return [{key: entry.key, label, detail}];
      }),
    actions: [
      recordAction('Enter', 'opens', {
        isReadOnly: true,
        run: (from, {key}) => {
          const conversation = conversationOf(from, key);
          if (conversation === undefined) return;
          from.closeOverlay();
          openConversation(from, conversation);
        },
      }),
      recordAction('Ctrl-T', 'changes the time', {
        isReadOnly: true,
        run: (from, {key}) => {
          const conversation = conversationOf(from, key);
          if (conversation !== undefined)
            openSnoozeMenuFor(from, snoozableItem(from, listedConversation(from.state, conversation)));
        },
      }),
      viewAction('Delete', 'wakes it', (from, {key, label}) => wake(from, key, label)),
    ],
  });
}

function conversationOf({state}: App, key: ConversationKey): Conversation | undefined {
  return state.unreads.conversations.get(key)?.conversation;
}

/** Ends a snooze: the conversation is in the inbox again. */
function wake(app: App, key: ConversationKey, title: string): void {
  const before = app.screen.inbox.snoozes.get(key);
  if (before === undefined) return;
  const label = composed`Ended the snooze of ${title}`;
  const steps = [{kind: 'snooze', keys: [key], before: [before]} as const];
  app.undoStack.pushRecord({label, at: app.clock.now(), keys: [key], steps});
  changeSnoozes(app, (snoozes) => endSnoozes(snoozes, [key]));
  app.toast(withUndoKey(label));
}
