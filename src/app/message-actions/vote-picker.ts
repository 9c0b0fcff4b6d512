import type {App} from '#app/core/app.ts';
import {changePickerField, confirm, openPicker} from '#app/overlays/picker.ts';
import {requestFromServer} from '#app/requests/server-request.ts';
import {performUndoable} from '#app/undo/perform-undoable.ts';
import {
  newOptionContent,
  newTaskContent,
  type PollState,
  pollState,
  strikeContent,
  type TodoState,
  todoState,
  voteContent,
} from '#content/widgets/widgets.ts';
import {sendSubmessage} from '#state/actions/messages.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import type {Message} from '#state/model/message.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';
import {isSubscribed} from '#state/selectors/permissions/channel-permissions.ts';
import type {AccountState} from '#state/state.ts';
import {composed} from '#std/composed-text.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {KeyEffects, PickerRow} from '#ui/core/overlay.ts';
import {withUndoKey} from '#ui/core/toast-message.ts';
import {emptyLine} from '#ui/text/text-field.ts';

type Widget = {readonly kind: 'poll'; readonly poll: PollState} | {readonly kind: 'todo'; readonly todo: TodoState};

/** Returns the message's poll or to-do list; undefined when it has none. */
export function widgetIn({submessages, senderId}: Message): Widget | undefined {
  if (submessages.length === 0) return undefined;
  const poll = pollState(submessages, senderId);
  if (poll !== undefined) return {kind: 'poll', poll};
  const todo = todoState(submessages, senderId);
  return todo && {kind: 'todo', todo};
}

function widgetOf({messages}: AccountState, id: number): Widget | undefined {
  const message = messages.byId.get(id);
  return message && widgetIn(message);
}

/** The first character of a row's key: `=` an existing option or task, `+` a new one. */
const [existingPrefix, newPrefix] = ['=', '+'];

interface WidgetRow extends PickerRow {
  /** The option or task without its number and its mark; undefined for a new one. */
  readonly text?: string;
  readonly isOn?: boolean;
}

/** Opens a picker to vote or to tick tasks; typed text that does not exist can be added. */
export function openVotePicker(app: App, {id}: Message): void {
  const widget = widgetOf(app.state, id);
  if (widget === undefined) return;
  const isPoll = widget.kind === 'poll';
  let chosenKey: string | undefined;
  openPicker<WidgetRow>(app, {
    id: 'vote',
    title: (isPoll ? widget.poll.question : widget.todo.title) || 'Poll',
    placeholder: isPoll ? 'number or text of an option, or a new option' : 'number or text of a task, or a new task',
    hintForRow: (_frame, row): KeyEffects => {
      if (row === undefined) return {};
      if (row.text === undefined) return {Enter: 'asks, then adds it for everyone'};
      if (isPoll) return {Enter: row.isOn === true ? 'removes your vote' : 'votes for it'};
      return {Enter: row.isOn === true ? 'unticks it for everyone' : 'ticks it for everyone'};
    },
    rows: (frame, query) => widgetRows(frame, id, query),
    // The cursor stays on what was chosen by its number.
    startAt: (_frame, query, rows) =>
      query === ''
        ? Math.max(
            0,
            rows.findIndex(({key}) => key === chosenKey),
          )
        : 0,
    accept: (target, {key, text}) => {
      if (text === undefined) askToAdd(target, id, key, isPoll);
      else {
        chosenKey = key;
        changePickerField(target, () => emptyLine);
        send(target, id, key);
      }
    },
  });
}

/** Asks before something is added, because it cannot be removed again. */
function askToAdd(app: App, id: number, rowKey: string, isPoll: boolean): void {
  const title = composed`Add “${rowKey.slice(1)}” for everyone?`;
  const yes = isPoll ? 'Add the option' : 'Add the task';
  const onYes = (from: App) => {
    changePickerField(from, () => emptyLine);
    send(from, id, rowKey);
  };
  confirm(app, {title, yes, detail: 'it cannot be removed', onYes});
}

/** Returns the rows that a text names: by their text, by their number, then those that contain it; last, the text as a new one. */
function widgetRows({account, display}: Frame, id: number, query: string): readonly WidgetRow[] {
  const widget = widgetOf(account, id);
  if (widget === undefined) return [];
  const check = {unicode: '✓', ascii: 'x', words: 'chosen'}[display.glyphs];
  const items =
    widget.kind === 'poll'
      ? widget.poll.options.map(({key, text, voters}) => ({
          key,
          text,
          isOn: voters.includes(account.self.userId),
          right: String(voters.length),
        }))
      : widget.todo.tasks.map(({key, task, description, done}) => ({
          key,
          text: task,
          isOn: done,
          detail: description || undefined,
        }));
  const rows = items.map((item, at): WidgetRow => {
    const label = composed`${at + 1} [${item.isOn ? check : ' '}] ${item.text}`;
    return {...item, key: `${existingPrefix}${item.key}`, label};
  });
  const text = query.trim().toLowerCase();
  if (text === '') return rows;
  const exact = rows.find((row) => row.text?.toLowerCase() === text);
  const numbered = /^\d+$/.test(text) ? rows[Number(text) - 1] : undefined;
  const containing = rows.filter((row) => row.text?.toLowerCase().includes(text));
  const found = [...new Set([exact, numbered, ...containing])].filter((row) => row !== undefined);
  if (exact !== undefined || numbered !== undefined) return found;
  return [...found, {key: `${newPrefix}${query.trim()}`, label: composed`Add “${query.trim()}”…`}];
}

function send(app: App, id: number, rowKey: string): void {
  const message = app.state.messages.byId.get(id);
  const widget = message && widgetIn(message);
  const content = widget && contentOf(widget, rowKey, app.state.self.userId);
  if (message === undefined || widget === undefined || content === undefined) {
    app.toast('This already exists.', 'warning');
    return;
  }
  const place = conversationTitle(app.state, conversationOf(message));
  const choice = choiceOf(widget, rowKey, app.state.self.userId);
  const isReported = message.kind === 'direct' || isSubscribed(app.state, message.channelId);
  // Elsewhere no event confirms a vote: it is shown when the message was fetched again.
  if (choice !== undefined && widget.kind === 'poll' && isReported) {
    const {key, label, wasOn} = choice;
    performUndoable(app, {kind: 'pollVote', messageId: id, key, isOn: !wasOn}, label);
    return;
  }
  requestFromServer(app, {
    send: () => sendSubmessage(app.session.context, id, JSON.parse(content)),
    doneText: () => {
      if (choice === undefined) return composed`Added “${rowKey.slice(1)}”`;
      const {key, label, wasOn} = choice;
      app.undoStack.pushStep(label, {kind: 'widget', messageId: id, widget: widget.kind, key, wasOn}, place);
      return withUndoKey(label);
    },
    failureText: 'Not saved',
    place,
  });
}

/** Returns the option or task of a row before it is changed, with the label of the change; undefined for a new one. */
function choiceOf(
  widget: Widget,
  rowKey: string,
  selfId: number,
): {readonly key: string; readonly label: string; readonly wasOn: boolean} | undefined {
  const key = rowKey.startsWith(existingPrefix) ? rowKey.slice(1) : undefined;
  if (key === undefined) return undefined;
  if (widget.kind === 'todo') {
    const {task = '', done: wasOn = false} = widget.todo.tasks.find((one) => one.key === key) ?? {};
    return {key, wasOn, label: composed`${wasOn ? 'Unticked' : 'Ticked'} “${task}”`};
  }
  const {text = '', voters = []} = widget.poll.options.find((one) => one.key === key) ?? {};
  const wasOn = voters.includes(selfId);
  return {key, wasOn, label: composed`${wasOn ? 'Removed the vote for' : 'Voted for'} “${text}”`};
}

function contentOf(widget: Widget, rowKey: string, selfId: number): string | undefined {
  const isNew = rowKey.startsWith(newPrefix);
  const key = rowKey.slice(1);
  if (widget.kind === 'todo') {
    return isNew ? newTaskContent(widget.todo, selfId, {task: key}) : strikeContent(key);
  }
  if (isNew) return newOptionContent(widget.poll, selfId, key);
  const option = widget.poll.options.find((one) => one.key === key);
  return option && voteContent(key, !option.voters.includes(selfId));
}
