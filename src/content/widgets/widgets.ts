import {isRecord, parsedJson} from '#std/parse-json.ts';
import {lineWithoutControls} from '#std/printable.ts';
import {widgetCommand} from './widget-command.ts';

const defaultTodoTitle = 'Task list';

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
  const widget = parseWidget('poll', parts, messageSenderId);
  return widget && replayPoll(widget, messageSenderId);
}

function replayPoll({start, actions}: ParsedWidget, authorId: number): PollState {
  let question = textOf(start.question);
  const tallies = new Map<string, OptionTally>();
  const add = itemAdder(tallies);
  const addOption = (sender: number | 'canned', index: unknown, text: unknown): void => {
    if (typeof text === 'string') add(`${sender},${index}`, {raw: text, voters: new Set()});
  };
  for (const [index, text] of listOf(start.options).entries()) addOption('canned', index, text);
  for (const {sender, data} of actions) {
    if (data.type === 'new_option' && isWidgetIndex(data.idx)) addOption(sender, data.idx, data.option);
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
  return command?.type === 'poll' ? replayPoll({start: command, actions: []}, 0) : undefined;
}

/** Returns the submessage that adds or removes a vote. */
export function voteContent(key: string, isVote: boolean): string {
  return JSON.stringify({type: 'vote', key, vote: isVote ? 1 : -1});
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

/** Returns the current state of a message's to-do list; undefined when it has none. Invalid submessages are ignored. */
export function todoState(parts: readonly WidgetSubmessage[], messageSenderId: number): TodoState | undefined {
  const widget = parseWidget('todo', parts, messageSenderId);
  return widget && replayTodo(widget, messageSenderId);
}

function replayTodo({start, actions}: ParsedWidget, authorId: number): TodoState {
  let title = textOf(start.task_list_title);
  const entries = new Map<string, TaskEntry>();
  const add = itemAdder(entries);
  const addTask = (key: string, {task, desc, completed}: JsonObject): void => {
    if (typeof task === 'string') add(key, {raw: task, description: textOf(desc), done: completed === true});
  };
  for (const [index, value] of listOf(start.tasks).entries()) {
    if (isRecord(value)) addTask(`${index},canned`, {...value, completed: false});
  }
  for (const {sender, data} of actions) {
    if (data.type === 'new_task' && isWidgetIndex(data.key)) addTask(`${data.key},${sender}`, data);
    else if (data.type === 'strike') strike(entries, data.key);
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
  if (command?.type !== 'todo') return undefined;
  return replayTodo({start: {task_list_title: command.title, tasks: command.tasks}, actions: []}, 0);
}

/** Returns the submessage that marks a task as done, or as not done again. */
export function strikeContent(key: string): string {
  return JSON.stringify({type: 'strike', key});
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

interface ParsedWidget {
  /** The question and options, or the title and tasks, that the message itself has. */
  readonly start: JsonObject;
  /** The actions of users, in order. */
  readonly actions: readonly {readonly sender: number; readonly data: JsonObject}[];
}

/** Returns the widget of a message; undefined when it has none of this type, or when its first submessage is not from its sender. */
function parseWidget(
  type: 'poll' | 'todo',
  parts: readonly WidgetSubmessage[],
  messageSenderId: number,
): ParsedWidget | undefined {
  const [first, ...rest] = parts.toSorted((a, b) => a.id - b.id);
  if (first === undefined || first.senderId !== messageSenderId || first.type !== 'widget') return undefined;
  const widget = parsedJson(first.content);
  if (!isRecord(widget) || widget.widget_type !== type) return undefined;
  const actions = rest.flatMap((part) => {
    const data = part.type === 'widget' ? parsedJson(part.content) : undefined;
    return isRecord(data) ? [{sender: part.senderId, data}] : [];
  });
  return {start: isRecord(widget.extra_data) ? widget.extra_data : {}, actions};
}

/** Returns a function that adds options or tasks by key. A text that another one has is ignored; a key may be replaced. */
function itemAdder<T extends {readonly raw: string}>(items: Map<string, T>): (key: string, item: T) => void {
  const texts = new Set<string>();
  return (key, item) => {
    if (texts.has(item.raw)) return;
    const replaced = items.get(key);
    if (replaced !== undefined) texts.delete(replaced.raw);
    texts.add(item.raw);
    items.set(key, item);
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns whether a value is a valid index of an added option or task. */
function isWidgetIndex(value: unknown): value is number {
  return Number.isInteger(value) && typeof value === 'number' && value >= 0 && value <= maxWidgetIndex;
}

const maxWidgetIndex = 1000;
