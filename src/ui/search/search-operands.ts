import {findChannel} from '#state/selectors/names/find-by-name.ts';
import {topicDisplayName} from '#state/selectors/names/names.ts';
import {
  endsWithOr,
  isSupportedByServer,
  parseSearch,
  personText,
  quotedOperand,
  type SearchPiece,
  searchPieces,
} from '#state/selectors/search/parse-search.ts';
import type {AccountState} from '#state/state.ts';
import {fuzzyMatch, type MatchRange, matchScores} from '#std/fuzzy.ts';
import {memoBySlicesAndArgument} from '#std/memo.ts';
import type {DateOperator, Operator, operands} from '#wire/narrow.ts';
import {
  type Completion,
  type CompletionContext,
  type CompletionOption,
  completionOf,
  maxOptions,
} from './completion.ts';
import {channelOption, findChannels, findTopics, type KeyboardRemap, topicOption} from './find-channels-and-topics.ts';
import {findConversations} from './find-conversations.ts';
import {findPeople} from './find-people.ts';
import {personOption} from './mention-and-emoji-options.ts';

type SearchTerm = Extract<SearchPiece, {kind: 'term'}>;

interface OperandContext {
  /** The whole search, because another term may name the channel. */
  readonly text: string;
  readonly remap: KeyboardRemap;
  readonly nowMs: number;
}

interface OperandOptions {
  readonly options: readonly CompletionOption[];
  /** Whether the typed text equals the first option. */
  readonly isWhole: boolean;
}

const nothing: OperandOptions = {options: [], isWhole: false};

/** Returns the completions after the colon. Message ids are not completed. */
function operandOptions(state: AccountState, term: SearchTerm, context: OperandContext): OperandOptions {
  switch (term.operator) {
    case 'channel':
      return channelOperands(state, term, context);
    case 'topic':
      return topicOperands(state, term, context);
    case 'sender':
    case 'dm':
    case 'dm-including':
    case 'group-pm-with':
    case 'mentions':
      return personOperands(state, term, context);
    case 'is':
    case 'has':
    case 'in':
    case 'channels':
      return fixedOptions(state, term);
    default:
      return nothing;
  }
}

/** Returns the term as typed, with a trailing space. */
function writtenTerm({negated, operator}: SearchTerm, operand: string): string {
  return `${negated ? '-' : ''}${operator}:${quotedOperand(operand)} `;
}

export function shiftedRanges(ranges: readonly MatchRange[], by: number): readonly MatchRange[] {
  return ranges.map(([start, end]) => [start + by, end + by]);
}

function channelOperands(state: AccountState, term: SearchTerm, {remap}: OperandContext): OperandOptions {
  const found = findChannels(state, term.operand.trim(), remap);
  const options = found.map((one) => channelOption(state, one, writtenTerm(term, one.channel.name)));
  return {options, isWhole: isExact(found[0])};
}

/** Returns topics of the channel that another term names; else of all channels. */
function topicOperands(state: AccountState, term: SearchTerm, {text, remap}: OperandContext): OperandOptions {
  const channelId = namedChannel(state, text);
  const query = term.operand.trim();
  if (channelId === undefined) return topicsAnywhere(state, term, query, remap);
  const found = findTopics(state, channelId, query, remap);
  const options = found.map((one) => topicOption(one, writtenTerm(term, one.row.conversation.topic)));
  return {options, isWhole: isExact(found[0])};
}

/** Returns the channel whose topics complete a search. */
export function searchedTopics(state: AccountState, text: string): number | undefined {
  const hasTopic = searchPieces(text).pieces.some((piece) => piece.kind === 'term' && piece.operator === 'topic');
  return hasTopic ? namedChannel(state, text) : undefined;
}

function namedChannel(state: AccountState, text: string): number | undefined {
  for (const piece of searchPieces(text).pieces) {
    if (piece.kind !== 'term' || piece.operator !== 'channel' || piece.negated || !piece.hasOperand) continue;
    const found = findChannel(state, piece.operand);
    if ('found' in found) return found.found.id;
  }
  return undefined;
}

/** Returns topics with their channel, because many channels have topics of the same name. */
function topicsAnywhere(state: AccountState, term: SearchTerm, query: string, remap: KeyboardRemap): OperandOptions {
  const options = findConversations(state, {query, limit: 20, remap, kind: 'topic'}).flatMap(
    ({item}): CompletionOption[] => {
      const {conversation} = item;
      const channel = conversation.kind === 'topic' ? state.channels.get(conversation.channelId) : undefined;
      if (conversation.kind !== 'topic' || channel === undefined) return [];
      const label = topicDisplayName(state, conversation.topic);
      const match = fuzzyMatch(query, label);
      if (match === undefined) return [];
      const channelTerm = term.negated ? '' : `channel:${quotedOperand(channel.name)} `;
      return [
        {
          label,
          detail: `#${channel.name}`,
          insert: `${channelTerm}${writtenTerm(term, conversation.topic)}`,
          ranges: match.ranges,
        },
      ];
    },
  );
  return {options, isWhole: false};
}

function personOperands(state: AccountState, term: SearchTerm, {remap, nowMs}: OperandContext): OperandOptions {
  const comma = term.operator === 'dm' ? term.operand.lastIndexOf(',') + 1 : 0;
  const before = term.operand.slice(0, comma);
  const query = term.operand.slice(comma).trim();
  const found = findPeople(state, {query, conversation: undefined, remap});
  const options = found.map((match) => {
    return personOption(state, match, {
      insert: writtenTerm(term, `${before}${personText(state, match.user.id)}`),
      nowMs,
    });
  });
  const me = fuzzyMatch(query, 'me');
  const isMe = me !== undefined && (query === '' || me.score >= matchScores.prefix);
  const own: CompletionOption[] = isMe
    ? [{label: 'me', detail: 'you', insert: writtenTerm(term, `${before}me`), ranges: me.ranges}]
    : [];
  return {options: [...own, ...options], isWhole: isExact(found[0]) || query.toLowerCase() === 'me'};
}

function fixedOptions(state: AccountState, term: SearchTerm): OperandOptions {
  const query = term.operand.trim();
  const options: CompletionOption[] = [];
  for (const {operator, operand, about} of fixedOperands) {
    const match = operator === term.operator ? fuzzyMatch(query, operand) : undefined;
    const fits = match !== undefined && (query === '' || match.score >= matchScores.inside);
    if (!fits || !isSupportedByServer(state, {operator, operand})) continue;
    options.push({label: operand, detail: about, insert: writtenTerm(term, operand), ranges: match.ranges});
  }
  return {options, isWhole: options.some(({label}) => label === query.toLowerCase())};
}

function isExact(found: {readonly score: number} | undefined): boolean {
  return found !== undefined && found.score >= matchScores.exact;
}

interface SearchOperator {
  readonly operator: Operator | DateOperator;
  /** An example operand. */
  readonly example: string;
  /** A one-line description. */
  readonly about: string;
}

/** The search operators, in display order. */
export const searchOperators: readonly SearchOperator[] = [
  {operator: 'channel', example: 'design', about: 'messages in a channel'},
  {operator: 'topic', example: 'logo', about: 'messages in a topic'},
  {operator: 'sender', example: 'me', about: 'messages by a person; “me” is you'},
  {operator: 'dm', example: 'me', about: 'direct messages with exactly these people'},
  {operator: 'dm-including', example: 'me', about: 'direct messages that include a person'},
  {operator: 'is', example: 'unread', about: 'unread, starred, mentioned, followed, resolved …'},
  {operator: 'has', example: 'link', about: 'with a link, an image, an attachment or a reaction'},
  {operator: 'after', example: 'yesterday', about: 'from a day or time on: yesterday, mon, 2026-05-12'},
  {operator: 'before', example: 'yesterday', about: 'before a day or time'},
  {operator: 'mentions', example: 'me', about: 'messages that mention a person'},
  {operator: 'channels', example: 'public', about: 'in all public channels, subscribed or not'},
  {operator: 'in', example: 'home', about: 'all messages, or all that are not muted'},
  {operator: 'near', example: '1', about: 'around a message, by its id'},
  {operator: 'id', example: '1', about: 'one message, by its id'},
  {operator: 'with', example: '1', about: 'the conversation of a message, by its id'},
];

type FixedOperands = typeof operands;
type OperandTexts = {readonly [O in keyof FixedOperands]: {readonly [W in keyof FixedOperands[O]]: string}};

const abouts: OperandTexts = {
  is: {
    dm: 'direct messages',
    starred: 'messages you starred',
    unread: 'messages you have not read',
    mentioned: 'messages that mention you',
    alerted: 'messages with one of your alert words',
    resolved: 'messages in resolved topics',
    followed: 'messages in topics you follow',
    muted: 'messages in muted topics and channels',
  },
  has: {
    attachment: 'messages with an uploaded file',
    image: 'messages with an image',
    link: 'messages with a link',
    reaction: 'messages with reactions',
  },
  in: {home: 'messages that are not muted', all: 'all messages, muted ones too'},
  channels: {
    public: 'all public channels',
    'web-public': 'channels that anyone on the web can read',
    archived: 'archived channels',
  },
};

interface FixedOperand {
  readonly operator: keyof FixedOperands;
  readonly operand: string;
  readonly about: string;
}

/** The fixed operands of some operators, with descriptions. */
export const fixedOperands: readonly FixedOperand[] = Object.entries(abouts).flatMap(([operator, texts]) =>
  // The table has exactly the operators of its type.
  Object.entries(texts).map(([operand, about]) => ({
    operator: operator as keyof FixedOperands,
    operand,
    about,
  })),
);

/** Returns the problems of a search. Cached, because an unknown name is compared with all names. */
export const searchProblems = memoBySlicesAndArgument(
  ['self', 'server', 'realm', 'users', 'channels'],
  (state: AccountState, text: string): readonly string[] => parseSearch(state, text).problems,
  4,
);

/**
 * Returns the problems while the user types: the unfinished last word is not checked, so that most keys cost nothing. It may be the
 * beginning of what an “OR” before it needs, and so may the word that is not typed yet.
 */
export function problemsSoFar(state: AccountState, text: string): readonly string[] {
  const {pieces} = searchPieces(text);
  const isOpen = pieces.at(-1)?.end === text.length;
  const finished = text.slice(0, isOpen ? pieces.at(-1)?.start : text.length);
  return searchProblems(state, endsWithOr(finished) ? `${finished} x` : finished);
}

/** Completes the term at the cursor. Plain words are searched as they are unless the user picks a completion. */
export function searchCompletion(state: AccountState, context: CompletionContext): Completion | undefined {
  const {text, cursor, remap} = context;
  const piece = searchPieces(text).pieces.find(({start, end}) => start < cursor && cursor <= end);
  if (piece === undefined)
    return completionOf('search', {start: cursor, end: cursor}, operatorOptions(state, '', ''), 'none');
  if (piece.kind === 'word') {
    const options = wordOptions(state, piece, remap);
    return completionOf('search', piece, options, 'none');
  }
  const {options, isWhole} = operandOptions(state, piece, {text, remap, nowMs: context.nowMs});
  return completionOf('search', piece, options.slice(0, maxOptions), isWhole ? 'none' : 'first');
}

function wordOptions(
  state: AccountState,
  {text}: Extract<SearchPiece, {kind: 'word'}>,
  remap: KeyboardRemap,
): readonly CompletionOption[] {
  const sign = text.startsWith('-') ? '-' : '';
  const query = text.slice(sign.length);
  if (query.startsWith('"')) return [];
  const terms = query === '' ? [] : termOptions(state, sign, query, remap);
  return [...operatorOptions(state, sign, query), ...terms].slice(0, maxOptions);
}

/** Returns the operators that start with the query. */
function operatorOptions(state: AccountState, sign: string, query: string): readonly CompletionOption[] {
  return searchOperators.flatMap(({operator, example, about}): CompletionOption[] => {
    const match = fuzzyMatch(query, operator);
    const fits = match !== undefined && (query === '' || match.score >= matchScores.prefix);
    if (!fits || !isSupportedByServer(state, {operator, operand: example})) return [];
    const label = `${sign}${operator}:`;
    return [{label, detail: about, insert: label, drill: label, ranges: shiftedRanges(match.ranges, sign.length)}];
  });
}

/** Returns complete terms with the query as operand: `unread` offers `is:unread`, a name offers `sender:`. */
function termOptions(
  state: AccountState,
  sign: string,
  query: string,
  remap: KeyboardRemap,
): readonly CompletionOption[] {
  const fixed = fixedOperands.flatMap(({operator, operand, about}): CompletionOption[] => {
    const match = fuzzyMatch(query, operand);
    if (match === undefined || match.score < matchScores.prefix || !isSupportedByServer(state, {operator, operand}))
      return [];
    const label = `${sign}${operator}:${operand}`;
    const ranges = shiftedRanges(match.ranges, label.length - operand.length);
    return [{label, detail: about, insert: `${label} `, ranges}];
  });
  const named = (['sender', 'dm', 'channel', 'topic'] as const).flatMap((operator) => {
    const piece = {kind: 'term', operator, operand: query, negated: sign === '-', hasOperand: true} as const;
    const {options} = operandOptions(state, {...piece, written: '', start: 0, end: 0}, {text: '', remap, nowMs: 0});
    const good = options.filter(({ranges}) => ranges.length === 1 && ranges[0] !== undefined);
    return good.slice(0, 3).map((option): CompletionOption => {
      const before = `${sign}${operator}:`;
      return {
        ...option,
        label: `${before}${option.label}`,
        ranges: shiftedRanges(option.ranges, before.length),
      };
    });
  });
  return [...fixed, ...named];
}
