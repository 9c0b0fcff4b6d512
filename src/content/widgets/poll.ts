import {lineWithoutControls} from '#std/printable.ts';
import {widgetCommand} from './widget-command.ts';
import {
  isWidgetIndex,
  maxWidgetIndex,
  parseWidget,
  type WidgetAction,
  type WidgetSubmessage,
} from './widget-submessages.ts';

export interface PollOption {
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
export function nextWidgetIndex(keys: readonly (readonly (string | undefined)[])[], selfId: number): number {
  const ownIndexes = keys.filter(([, sender]) => sender === String(selfId)).map(([index]) => Number(index));
  return ownIndexes.reduce((highest, index) => Math.max(highest, index), 0) + 1;
}

export interface PollViewer {
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
