import {type WidgetCommand, widgetCommand} from '#content/widgets/widget-command.ts';
import type {ActionContext} from '#server/context.ts';
import type {MessageRow, UserRow} from '#server/db/rows.ts';
import {badRequest} from '#server/http/errors.ts';
import {spacedJson} from '#server/views/spaced-json.ts';
import {decode, int, type Schema, s} from '#wire/schema.ts';
import {messageAudience} from './message-audience.ts';
import {autoFollowParticipant} from './reactions.ts';

const index = s.pipe(int, s.minValue(0), s.maxValue(1000));
const text = s.string();

/** The submessages that each widget accepts. */
const widgetEvents: Readonly<Record<string, Schema<{type: string}>>> = {
  poll: s.variant('type', [
    s.looseObject({type: s.literal('new_option'), idx: index, option: text}),
    s.looseObject({type: s.literal('vote'), key: text, vote: s.picklist([1, -1])}),
    s.looseObject({type: s.literal('question'), question: text}),
  ]),
  todo: s.variant('type', [
    s.looseObject({type: s.literal('new_task'), key: index, task: text, desc: text, completed: s.boolean()}),
    s.looseObject({type: s.literal('strike'), key: text}),
    s.looseObject({type: s.literal('new_task_list_title'), title: text}),
  ]),
};
const widgetTypes: Readonly<Record<string, readonly string[]>> = {
  poll: ['new_option', 'vote', 'question'],
  todo: ['new_task', 'strike', 'new_task_list_title'],
};
const authorOnlyTypes = new Set(['question', 'new_task_list_title']);
const widget = s.looseObject({widget_type: s.picklist(['poll', 'todo']), extra_data: s.unknown()});

export interface SubmessageInput {
  readonly msgType: string;
  /** JSON text. */
  readonly content: string;
}

export function sendSubmessage(
  act: ActionContext,
  actor: UserRow,
  message: MessageRow,
  {msgType, content}: SubmessageInput,
): void {
  if (msgType !== 'widget') throw badRequest('Invalid msg_type: only widget is known');
  const isAuthor = message.sender_id === actor.id;
  const first = act.db.get<{sender_id: number; content: string}>(
    'SELECT sender_id, content FROM submessage WHERE message_id = ? ORDER BY id LIMIT 1',
    message.id,
  );
  if (!isAuthor && first?.sender_id !== message.sender_id) {
    throw badRequest('You cannot attach a submessage to this message.');
  }
  const data = parseJson(content);
  if (first === undefined) checkSchema(widget, data);
  else checkEvent(JSON.parse(first.content), data, isAuthor);
  const id = act.db.insert(
    'INSERT INTO submessage (message_id, sender_id, msg_type, content) VALUES (?, ?, ?, ?)',
    message.id,
    actor.id,
    msgType,
    content,
  );
  act.emit({
    type: 'submessage',
    to: messageAudience(act, message),
    body: {msg_type: msgType, message_id: message.id, submessage_id: id, sender_id: actor.id, content},
  });
  autoFollowParticipant(act, actor, message);
}

function parseJson(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    throw badRequest('Invalid json for submessage');
  }
}

function checkEvent(first: {widget_type?: string}, data: unknown, isAuthor: boolean): void {
  const events = Object.hasOwn(widgetEvents, first.widget_type ?? '')
    ? widgetEvents[first.widget_type ?? '']
    : undefined;
  if (events === undefined) throw badRequest('This message has no widget');
  const {type: sent} = checkSchema(s.looseObject({type: text}), data);
  if (!widgetTypes[first.widget_type ?? '']?.includes(sent)) {
    throw badRequest(`Unknown type for ${first.widget_type} data: ${sent}`);
  }
  const {type} = checkSchema(events, data);
  if (!isAuthor && authorOnlyTypes.has(type)) throw badRequest('Only the author of a widget can change its title');
}

function checkSchema<T>(schema: Schema<T>, data: unknown): T {
  const checked = decode(schema, data);
  if (!checked.ok) throw badRequest(`Invalid submessage: ${checked.reason}`);
  return checked.value;
}

/** Returns the first submessage of a message whose text is a `/poll` or `/todo` command. */
export function widgetSubmessage(content: string): string | undefined {
  const command = widgetCommand(content);
  if (command === undefined) return undefined;
  return spacedJson({widget_type: command.type, extra_data: extraData(command)});
}

function extraData(command: WidgetCommand): object {
  if (command.type === 'poll') return {question: command.question, options: command.options};
  return {task_list_title: command.title, tasks: command.tasks};
}
