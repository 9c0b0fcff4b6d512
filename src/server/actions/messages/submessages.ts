import {badRequest, check, required} from '#server/errors.ts';
import {dictMismatchText} from '#server/param-decoder.ts';
import {type Route, route} from '#server/route.ts';
import {isRecord, parseJson} from '#std/parse-json.ts';
import {endpoints} from '#wire/endpoints.ts';
import {decode, int, object, type Schema, s} from '#wire/schema.ts';
import {messageAudience, requireChangeableMessage} from './message-audience.ts';
import {spacedJson} from './post-message.ts';
import {autoFollowParticipant} from './reactions.ts';

export const submessageRoutes: readonly Route[] = [
  route(endpoints.sendSubmessage, 'account', (call, {message_id, msg_type, content}) => {
    const message = requireChangeableMessage(call, call.actor, message_id);
    const sender_id = call.actor.id;
    const isAuthor = message.sender_id === sender_id;
    const first = call.db.get<{sender_id: number; content: string}>(
      `SELECT sender_id, content FROM submessage WHERE message_id = ? AND msg_type = 'widget' ORDER BY id LIMIT 1`,
      message_id,
    );
    check(isAuthor || first?.sender_id === message.sender_id, 'You cannot attach a submessage to this message.');
    const data = parsed(content, 'Invalid json for submessage');
    const widget: unknown = first === undefined ? null : JSON.parse(first.content);
    checkEvent(isRecord(widget) ? String(widget.widget_type) : '', data, isAuthor);
    const submessage_id = call.db.insertRow('submessage', {message_id, sender_id, msg_type, content});
    autoFollowParticipant(call, message);
    call.emit('submessage', messageAudience(call, message), {msg_type, message_id, submessage_id, sender_id, content});
  }),
];

const text = s.string();
const index = s.pipe(int, s.minValue(0), s.maxValue(1000));

type Fields = Readonly<Record<string, Schema>>;

/** The fields of the submessages that each widget accepts, by their type. */
const widgetEvents: Readonly<Record<string, Readonly<Record<string, Fields>>>> = {
  poll: {
    vote: {key: text, vote: s.pipe(int, s.values([1, -1], 'Invalid {at}'))},
    question: {question: text},
    new_option: {option: text, idx: index},
  },
  todo: {
    new_task: {key: index, task: text, desc: text, completed: s.boolean()},
    strike: {key: text},
    new_task_list_title: {title: text},
  },
};

const authorOnly: Readonly<Record<string, string>> = {
  question: "You can't edit a question unless you are the author.",
  new_task_list_title: "You can't edit the task list title unless you are the author.",
};

function parsed(content: string, problem: string): unknown {
  try {
    return parseJson(content);
  } catch {
    throw badRequest(problem);
  }
}

/** Checks what is sent to a poll or to-do list; other messages accept anything from their author. */
function checkEvent(widget: string, data: unknown, isAuthor: boolean): void {
  const events = Object.hasOwn(widgetEvents, widget) ? widgetEvents[widget] : undefined;
  if (events === undefined) return;
  const name = `${widget} data`;
  checkFields(name, {type: text}, data);
  const type = isRecord(data) ? String(data.type) : '';
  const fields = required(Object.hasOwn(events, type) ? events[type] : undefined, `Unknown type for ${name}: ${type}`);
  const refusal = isAuthor ? undefined : authorOnly[type];
  if (refusal !== undefined) throw badRequest(refusal);
  checkFields(name, {type: text, ...fields}, data);
  const other = Object.keys(data as object).filter((key) => key !== 'type' && !Object.hasOwn(fields, key));
  if (other.length > 0) throw badRequest(`Unexpected arguments: ${other.join(', ')}`);
}

function checkFields(name: string, fields: Fields, data: unknown): void {
  check(isRecord(data), `${name} is not a dict`);
  const checked = decode(s.looseObject({...fields}), data);
  if (!checked.ok) throw badRequest(dictMismatchText(name, checked.mismatch));
}

const choice = object({short_name: text, long_name: text, reply: text});

const choices = object({type: s.literal('choices'), heading: text, choices: s.array(choice)});

/**
 * Returns the submessage for `widget_content`, with which a bot offers choices to click. Polls and to-do lists are made
 * by the text of a message only.
 */
export function checkedWidgetContent(source: string): string {
  const content = parsed(source, 'Widgets: API programmer sent invalid JSON content');
  if (!isRecord(content)) throw invalid('widget_content is not a dict');
  for (const name of ['widget_type', 'extra_data']) {
    if (!Object.hasOwn(content, name)) throw invalid(`${name} is not in widget_content`);
  }
  const {widget_type, extra_data} = content;
  if (!isRecord(extra_data)) throw invalid('extra_data is not a dict');
  if (widget_type !== 'zform') throw invalid(`unknown widget type: ${String(widget_type)}`);
  if (!Object.hasOwn(extra_data, 'type')) throw invalid('zform is missing type field');
  if (extra_data.type !== 'choices') throw invalid(`unknown zform type: ${String(extra_data.type)}`);
  const decoded = decode(choices, extra_data);
  if (!decoded.ok) throw invalid(dictMismatchText('extra_data', decoded.mismatch));
  return spacedJson(content);
}

function invalid(problem: string) {
  return badRequest(`Widgets: ${problem}`);
}
