import {isRecord, parsedJson} from '#std/parse-json.ts';
import {lineWithoutControls} from '#std/printable.ts';
import {defaultTodoTitle, widgetCommand} from './widget-command.ts';

interface PollOption {
  /** The option's key in votes: `canned,0` for the message's own options, `12,1` for the first that user 12 added. */
  readonly key: string;
  readonly text: string;
  /** User ids in the order of their votes. */
  readonly voters: readonly number[];
}

export interface PollState {
  readonly question: string;
  readonly options: readonly PollOption[];
}

type OptionTally = {raw: string; voters: Set<number>};

/** Returns the current state of a message's poll; undefined when it has none. Invalid submessages are ignored. */
export function pollState(parts: readonly WidgetSubmessage[], messageSenderId: number): PollState | undefined {
  const start = parseWidget(parts, messageSenderId);
  if (start?.type !== 'poll') return undefined;
  const {question, options} = start.extraData;
  return replayPoll(
    typeof question === 'string' ? question : '',
    Array.isArray(options) ? options : [],
    start.actions,
    messageSenderId,
  );
}

function replayPoll(
  firstQuestion: string,
  firstOptions: readonly unknown[],
  actions: readonly WidgetAction[],
  authorId: number,
): PollState {
  let question = firstQuestion;
  const tallies = new Map<string, OptionTally>();
  const texts = new Set<string>();
  const add = (sender: number | 'canned', index: unknown, text: unknown): void => {
    if (typeof text !== 'string' || texts.has(text)) return;
    const key = `${sender},${index}`;
    const replaced = tallies.get(key);
    if (replaced !== undefined) texts.delete(replaced.raw);
    texts.add(text);
    tallies.set(key, {raw: text, voters: new Set()});
  };
  for (const [index, text] of firstOptions.entries()) add('canned', index, text);
  for (const {sender, data} of actions) {
    if (typeof sender !== 'number') continue;
    if (data.type === 'new_option' && isWidgetIndex(data.idx)) add(sender, data.idx, data.option);
    else if (data.type === 'vote') vote(tallies, sender, data.key, data.vote);
    else if (data.type === 'question' && sender === authorId && typeof data.question === 'string') {
      question = data.question;
    }
  }
  const options = [...tallies].map(([key, {raw, voters}]) => ({
    key,
    text: lineWithoutControls(raw),
    voters: [...voters],
  }));
  return {question: lineWithoutControls(question), options};
}

function vote(tallies: ReadonlyMap<string, OptionTally>, sender: number, key: unknown, value: unknown): void {
  const voters = typeof key === 'string' ? tallies.get(key)?.voters : undefined;
  if (value === 1) voters?.add(sender);
  else if (value === -1) voters?.delete(sender);
}

/** Returns the poll that an unsent `/poll` message will create; undefined when it is not such a message. */
export function pollFromCommand(source: string): PollState | undefined {
  const command = widgetCommand(source);
  return command?.type === 'poll' ? replayPoll(command.question, command.options, [], 0) : undefined;
}

/** Returns the submessage that adds or removes a vote. */
export function voteContent(key: string, isVote: boolean): string {
  return JSON.stringify({type: 'vote', key, vote: isVote ? 1 : -1});
}

/** Returns the submessage that changes the question. */
export function questionContent(question: string): string {
  return JSON.stringify({type: 'question', question});
}

/** Returns the submessage that adds an option; undefined when it is empty or exists, or when no index is left. */
export function newOptionContent(poll: PollState, selfId: number, text: string): string | undefined {
  const option = lineWithoutControls(text);
  const isTaken = poll.options.some((other) => other.text === option);
  const idx = nextWidgetIndex(
    poll.options.map(({key}) => key.split(',')).map(([sender, index]) => [index, sender]),
    selfId,
  );
  if (option === '' || isTaken || idx > maxWidgetIndex) return undefined;
  return JSON.stringify({type: 'new_option', idx, option});
}

/** Returns one more than the highest index that this user has used; keys are [index, sender]. */
function nextWidgetIndex(keys: readonly (readonly (string | undefined)[])[], selfId: number): number {
  const ownIndexes = keys.filter(([, sender]) => sender === String(selfId)).map(([index]) => Number(index));
  return ownIndexes.reduce((highest, index) => Math.max(highest, index), 0) + 1;
}

interface PollViewer {
  readonly selfId: number;
  readonly nameOf: (userId: number) => string | undefined;
}

/** The number of voters that are named; the others are counted. */
const maxNames = 5;

/** Returns the question, then one row for each option: `[2] Pizza (Ann, Bo)`, with `*` for the user's own vote. */
export function pollRows(poll: PollState, {selfId, nameOf}: PollViewer): readonly string[] {
  const rows = poll.options.map(({text, voters}) => {
    const names = voters.slice(0, maxNames).map((id) => lineWithoutControls(nameOf(id) ?? 'someone'));
    if (voters.length > maxNames) names.push(`${voters.length - maxNames} more`);
    const mark = voters.includes(selfId) ? '*' : '';
    return `[${voters.length}${mark}] ${text}${names.length === 0 ? '' : ` (${names.join(', ')})`}`;
  });
  return [poll.question === '' ? 'Poll' : poll.question, ...(rows.length === 0 ? ['No options yet'] : rows)];
}

interface TodoTask {
  /** `0,canned` for the message's own tasks, `1,12` for the first that user 12 added. */
  readonly key: string;
  readonly task: string;
  readonly description: string;
  readonly done: boolean;
}

export interface TodoState {
  readonly title: string;
  readonly tasks: readonly TodoTask[];
}

type TaskEntry = {raw: string; description: string; done: boolean};
type NewTask = {readonly task: unknown; readonly desc: unknown; readonly done: boolean};

/** Returns the current state of a message's to-do list; undefined when it has none. Invalid submessages are ignored. */
export function todoState(parts: readonly WidgetSubmessage[], messageSenderId: number): TodoState | undefined {
  const start = parseWidget(parts, messageSenderId);
  if (start?.type !== 'todo') return undefined;
  const {task_list_title: title, tasks} = start.extraData;
  return replayTodo(
    typeof title === 'string' ? title : '',
    Array.isArray(tasks) ? tasks : [],
    start.actions,
    messageSenderId,
  );
}

function replayTodo(
  firstTitle: string,
  firstTasks: readonly unknown[],
  actions: readonly WidgetAction[],
  authorId: number,
): TodoState {
  let title = firstTitle;
  const entries = new Map<string, TaskEntry>();
  const names = new Set<string>();
  const add = (sender: number | 'canned', index: number, {task, desc, done}: NewTask): void => {
    if (typeof task !== 'string' || names.has(task)) return;
    const key = `${index},${sender}`;
    const replaced = entries.get(key);
    if (replaced !== undefined) names.delete(replaced.raw);
    names.add(task);
    entries.set(key, {raw: task, description: typeof desc === 'string' ? desc : '', done});
  };
  for (const [index, value] of firstTasks.entries()) {
    const data = asJsonObject(value);
    if (data !== undefined) add('canned', index, {task: data.task, desc: data.desc, done: false});
  }
  for (const {sender, data} of actions) {
    if (data.type === 'new_task' && isWidgetIndex(data.key)) {
      add(sender, data.key, {task: data.task, desc: data.desc, done: data.completed === true});
    } else if (data.type === 'strike') strike(entries, data.key);
    else if (data.type === 'new_task_list_title' && sender === authorId && typeof data.title === 'string') {
      title = data.title;
    }
  }
  const tasks = [...entries].map(([key, {raw, description, done}]) => ({
    key,
    task: lineWithoutControls(raw),
    description: lineWithoutControls(description),
    done,
  }));
  return {title: lineWithoutControls(title) || defaultTodoTitle, tasks};
}

function strike(entries: ReadonlyMap<string, TaskEntry>, key: unknown): void {
  const entry = typeof key === 'string' ? entries.get(key) : undefined;
  if (entry !== undefined) entry.done = !entry.done;
}

/** Returns the list that an unsent `/todo` message will create; undefined when it is not such a message. */
export function todoFromCommand(source: string): TodoState | undefined {
  const command = widgetCommand(source);
  return command?.type === 'todo' ? replayTodo(command.title, command.tasks, [], 0) : undefined;
}

/** Returns the submessage that marks a task as done, or as not done again. */
export function strikeContent(key: string): string {
  return JSON.stringify({type: 'strike', key});
}

/** Returns the submessage that changes the title. */
export function titleContent(title: string): string {
  return JSON.stringify({type: 'new_task_list_title', title});
}

/** Returns the submessage that adds a task; undefined when it is empty or exists, or when no index is left. */
export function newTaskContent(
  todo: TodoState,
  selfId: number,
  {task, description = ''}: {readonly task: string; readonly description?: string},
): string | undefined {
  const name = lineWithoutControls(task);
  const isTaken = todo.tasks.some((other) => other.task === name);
  const key = nextWidgetIndex(
    todo.tasks.map((each) => each.key.split(',')),
    selfId,
  );
  if (name === '' || isTaken || key > maxWidgetIndex) return undefined;
  return JSON.stringify({
    type: 'new_task',
    key,
    task: name,
    desc: lineWithoutControls(description),
    completed: false,
  });
}

/** Returns the title, then one row for each task: `[x] Cake: with cream`. */
export function todoRows(todo: TodoState): readonly string[] {
  const rows = todo.tasks.map(({task, description, done}) => {
    return `[${done ? 'x' : ' '}] ${task}${description === '' ? '' : `: ${description}`}`;
  });
  return [todo.title, ...(rows.length === 0 ? ['No tasks yet'] : rows)];
}

/** A submessage. The first of a message contains the kind of widget, the others the actions of users. */
export interface WidgetSubmessage {
  readonly id: number;
  readonly senderId: number;
  readonly type: string;
  /** JSON text. */
  readonly content: string;
}

type JsonObject = Readonly<Record<string, unknown>>;

/** A user's action. `sender` is `canned` for the options or tasks of the message itself. */
interface WidgetAction {
  readonly sender: number | 'canned';
  readonly data: JsonObject;
}

interface ParsedWidget {
  readonly type: string;
  readonly extraData: JsonObject;
  /** In order. */
  readonly actions: readonly WidgetAction[];
}

/** Returns the widget of a message; undefined when it has none, or when its first submessage is not from its sender. */
function parseWidget(parts: readonly WidgetSubmessage[], messageSenderId: number): ParsedWidget | undefined {
  const [first, ...rest] = [...parts].sort((a, b) => a.id - b.id);
  if (first === undefined || first.senderId !== messageSenderId || first.type !== 'widget') return undefined;
  const start = asJsonObject(parsedJson(first.content));
  const type = start?.widget_type;
  if (start === undefined || typeof type !== 'string') return undefined;
  const actions: WidgetAction[] = [];
  for (const part of rest) {
    const data = part.type === 'widget' ? asJsonObject(parsedJson(part.content)) : undefined;
    if (data !== undefined) actions.push({sender: part.senderId, data});
  }
  return {type, extraData: asJsonObject(start.extra_data) ?? {}, actions: actions};
}

/** Returns the kind of widget: `poll`, `todo`, or one that Parley does not know, for which the message's text is shown. */
export function widgetType(parts: readonly WidgetSubmessage[], messageSenderId: number): string | undefined {
  return parseWidget(parts, messageSenderId)?.type;
}

function asJsonObject(value: unknown): JsonObject | undefined {
  return isRecord(value) ? value : undefined;
}

/** Returns whether a value is a valid index of an added option or task. */
function isWidgetIndex(value: unknown): value is number {
  return Number.isInteger(value) && typeof value === 'number' && value >= 0 && value <= maxWidgetIndex;
}

const maxWidgetIndex = 1000;
