import type {App} from '#app/core/app.ts';
import {changePickerField, openPicker} from '#app/overlays/picker.ts';
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
import type {Frame} from '#ui/core/frame.ts';
import type {PickerRow} from '#ui/core/overlay.ts';
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

/** Opens a picker to vote or to tick tasks; typed text that does not exist can be added. */
export function openVotePicker(app: App, {id}: Message): void {
  const widget = widgetOf(app.state, id);
  if (widget === undefined) return;
  const isPoll = widget.kind === 'poll';
  openPicker(app, {
    id: 'vote',
    title: (isPoll ? widget.poll.question : widget.todo.title) || 'Poll',
    placeholder: isPoll ? 'type to find or add an option' : 'type to find or add a task',
    hint: isPoll ? {Enter: 'votes or removes the vote'} : {Enter: 'ticks or unticks'},
    rows: (frame, query) => widgetRows(frame, id, query),
    accept: (target, {key}) => {
      send(target, id, key);
      if (key.startsWith(newPrefix)) changePickerField(target, () => emptyLine);
    },
  });
}

function widgetRows({account, display}: Frame, id: number, query: string): readonly PickerRow[] {
  const widget = widgetOf(account, id);
  if (widget === undefined) return [];
  const check = {unicode: '✓', ascii: 'x', words: 'chosen'}[display.glyphs];
  const rows =
    widget.kind === 'poll' ? pollRows(widget.poll, account.self.userId, check) : taskRows(widget.todo, check);
  const text = query.trim();
  const matches = rows.filter(({label}) => label.toLowerCase().includes(text.toLowerCase()));
  const isThere = rows.some(({label}) => label.slice(4).toLowerCase() === text.toLowerCase());
  if (text === '' || isThere) return matches;
  return [...matches, {key: `${newPrefix}${text}`, label: `Add “${text}”`}];
}

function pollRows({options}: PollState, selfId: number, check: string): readonly PickerRow[] {
  return options.map(({key, text, voters}) => ({
    key: `${existingPrefix}${key}`,
    label: `[${voters.includes(selfId) ? check : ' '}] ${text}`,
    right: String(voters.length),
  }));
}

function taskRows({tasks}: TodoState, check: string): readonly PickerRow[] {
  return tasks.map(({key, task, description, done}) => ({
    key: `${existingPrefix}${key}`,
    label: `[${done ? check : ' '}] ${task}`,
    ...(description === '' ? {} : {detail: description}),
  }));
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
      if (choice === undefined) return `Added “${rowKey.slice(1)}”`;
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
    return {key, wasOn, label: `${wasOn ? 'Unticked' : 'Ticked'} “${task}”`};
  }
  const {text = '', voters = []} = widget.poll.options.find((one) => one.key === key) ?? {};
  const wasOn = voters.includes(selfId);
  return {key, wasOn, label: `${wasOn ? 'Removed the vote for' : 'Voted for'} “${text}”`};
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
