import type {ActionContext, ReadContext} from '#server/context.ts';
import {findChannel, findChannelByName} from '#server/db/channels.ts';
import {directConversationKey, findMessage} from '#server/db/messages.ts';
import {type ChannelRow, fold, type MessageRow, type UserRow} from '#server/db/rows.ts';
import {findUser, findUserByEmail, idOfDummyEmail} from '#server/db/users.ts';
import {ApiError, badNarrow, badRequest, check, required} from '#server/errors.ts';
import {organization} from '#server/permissions/has-permission.ts';
import {canReadMessage} from '#server/permissions/read-message.ts';
import {canSeeEmail, hostOf} from '#server/permissions/user-access.ts';
import {ownValue} from '#std/own-value.ts';
import {type NarrowTerm, normalizeTerm, type Operand, operands, type WireNarrow} from '#wire/narrow.ts';
import {checkSearchLength, type TextSearch, textSearch} from './search-stream.ts';

export type IsOperand = keyof typeof operands.is;
export type HasOperand = keyof typeof operands.has;
export type ChannelClass = keyof typeof operands.channels;

/** A condition on messages, with every name resolved to an id. */
type TermCondition =
  | {readonly kind: 'channel'; readonly channel: ChannelRow}
  | {readonly kind: 'channels'; readonly which: ChannelClass}
  | {readonly kind: 'topic'; readonly key: string}
  /** The conversation of exactly these users; see `dm.key`. */
  | {readonly kind: 'dm'; readonly key: string}
  | {readonly kind: 'dm-including'; readonly userId: number}
  | {readonly kind: 'sender'; readonly userId: number}
  | {readonly kind: 'id'; readonly id: number}
  /** Undefined when the text contains no indexed word: no message matches. */
  | {readonly kind: 'search'; readonly search: TextSearch | undefined}
  | {readonly kind: 'is'; readonly what: IsOperand}
  | {readonly kind: 'has'; readonly what: HasOperand}
  | {readonly kind: 'home'}
  | {readonly kind: 'mentions'; readonly userId: number};

/** One term of a narrow, resolved. */
export type ResolvedTerm = TermCondition & {readonly negated: boolean};

/** More terms would make an expression that SQLite refuses. */
const maxTerms = 500;

/** Resolves a client's narrow, or throws BAD_NARROW. The result omits `near` and `in:all`, which do not filter. */
export function parseNarrowTerms(act: ReadContext, viewer: UserRow, narrow: WireNarrow): ResolvedTerm[] {
  if (narrow.length > maxTerms) throw badNarrow(`more than ${maxTerms} terms`);
  const wrongPair = narrow.findIndex((term) => Array.isArray(term) && typeof term[1] !== 'string');
  if (wrongPair >= 0) throw badRequest(`Invalid narrow[${wrongPair}]: Value error, element is not a string pair`);
  const given = narrow.map(normalizeTerm);
  for (const [index, term] of narrow.entries()) {
    checkOperand(Array.isArray(term) ? term[0] : term.operator, given[index]?.operand);
  }
  const wireTerms = resolveWithOperator(act, viewer, given);
  checkSearchLength(wireTerms.flatMap(({operator, operand}) => (operator === 'search' ? [String(operand)] : [])));
  const terms = wireTerms.flatMap((term): ResolvedTerm[] => {
    const resolve = required(ownValue(resolvers, term.operator), () => badNarrow(`unknown operator ${term.operator}`));
    const condition = resolve(term.operand, viewer, act);
    // As on Zulip's servers, a search cannot be negated.
    const negated = term.negated === true && term.operator !== 'search';
    return condition === undefined ? [] : [{...condition, negated}];
  });
  if (terms.some(matchesOnlyChannels) && terms.some(matchesOnlyDirect)) {
    throw badNarrow('No message can be both a channel message and direct message');
  }
  return terms;
}

/** The operators that take a number, as they are sent: older names such as `from` take only texts. */
const idOperators: ReadonlySet<string> = new Set([
  'channel',
  'stream',
  'id',
  'sender',
  'group-pm-with',
  'dm-including',
  'with',
]);

/** Throws unless the operand has a type that the operator takes. */
function checkOperand(operator: string, operand: unknown): void {
  if (typeof operand === 'string') {
    if (operator === 'search' && operand.trim() === '') throw badRequest('operand cannot be blank.');
    return;
  }
  if (operator === 'mentions') return;
  if (idOperators.has(operator)) {
    check(Number.isInteger(operand), 'operand is not a string or integer');
  } else if (operator !== 'dm' && operator !== 'pm-with') throw badRequest('operand is not a string');
  else if (!Array.isArray(operand)) throw badRequest('operand is not a string or an integer list');
  else {
    const index = operand.findIndex((item) => !Number.isInteger(item));
    if (index >= 0) throw badRequest(`operand[${index}] is not an integer`);
  }
}

type Resolver = (operand: Operand, viewer: UserRow, act: ReadContext) => TermCondition | undefined;

/** What each operator means; undefined for those that do not filter. */
const resolvers: Readonly<Record<string, Resolver>> = {
  channel: (operand, _viewer, act) => ({kind: 'channel', channel: channelOperand(act, operand)}),
  channels: (operand) => ({kind: 'channels', which: oneOf('channels', operand)}),
  topic: (operand, _viewer, act) => ({kind: 'topic', key: topicKey(act, operand)}),
  dm: (operand, viewer, act) => {
    return {kind: 'dm', key: directConversationKey([viewer.id, ...userOperands(act, viewer, operand)])};
  },
  'dm-including': (operand, viewer, act) => {
    return {kind: 'dm-including', userId: userOperand(act, viewer, operand)};
  },
  // The older name of `dm-including`, which left out conversations with one person.
  'group-pm-with': (operand, viewer, act) => {
    return {kind: 'dm-including', userId: userOperand(act, viewer, operand)};
  },
  sender: (operand, viewer, act) => ({kind: 'sender', userId: userOperand(act, viewer, operand)}),
  mentions: (operand, viewer, act) => ({kind: 'mentions', userId: userOperand(act, viewer, operand)}),
  id: (operand) => ({kind: 'id', id: messageIdOperand(operand)}),
  near: () => undefined,
  search: (operand) => ({kind: 'search', search: textSearch(String(operand))}),
  is: (operand) => ({kind: 'is', what: oneOf('is', operand)}),
  has: (operand) => ({kind: 'has', what: oneOf('has', operand)}),
  in: (operand) => (oneOf('in', operand) === 'home' ? {kind: 'home'} : undefined),
};

function oneOf<K extends keyof typeof operands>(operator: K, operand: unknown): keyof (typeof operands)[K] {
  const value = Object.keys(operands[operator]).find((name) => name === operand);
  if (value === undefined) {
    throw badNarrow(`unknown ${operator === 'channels' ? operator : `'${operator}'`} operand ${String(operand)}`);
  }
  // `find` returns only keys of this record.
  return value as unknown as keyof (typeof operands)[K];
}

function channelOperand(act: ReadContext, operand: NarrowTerm['operand']): ChannelRow {
  const {db} = act.server;
  const channel = typeof operand === 'number' ? findChannel(db, operand) : findChannelByName(db, String(operand));
  // The messages of a channel without access are left out later.
  return required(channel, () => badNarrow(`unknown channel ${String(operand)}`));
}

/** Returns the key of a topic; the name that clients show for the topic without one stands for it. */
export function topicKey(act: Pick<ActionContext, 'server'>, operand: NarrowTerm['operand']): string {
  const key = fold(String(operand));
  return key === fold(organization(act).empty_topic_display_name) ? '' : key;
}

/** Returns whether a term can match only channel messages. */
function matchesOnlyChannels(term: ResolvedTerm): boolean {
  if (term.negated) return term.kind === 'is' && term.what === 'dm';
  if (term.kind === 'is') return term.what === 'resolved' || term.what === 'followed';
  return term.kind === 'channel' || term.kind === 'channels' || term.kind === 'topic';
}

/** Returns whether a term can match only direct messages. */
export function matchesOnlyDirect(term: ResolvedTerm): boolean {
  if (term.negated) return false;
  return term.kind === 'dm' || term.kind === 'dm-including' || (term.kind === 'is' && term.what === 'dm');
}

const invalidWith = "Invalid 'with' operator";
const replacedOperators = new Set(['channel', 'topic', 'dm']);

/**
 * Replaces `with` by the conversation that contains its message, so that a link to a topic that was moved or resolved
 * still works; a negated one is the same. When the viewer cannot read the message, the other terms must name a conversation.
 */
function resolveWithOperator(act: ReadContext, viewer: UserRow, terms: NarrowTerm[]): NarrowTerm[] {
  const [anchor, second] = terms.filter(({operator}) => operator === 'with');
  if (anchor === undefined) return terms;
  if (second !== undefined) {
    const desc = "Duplicate 'with' operators.";
    throw new ApiError('BAD_NARROW', `Invalid narrow operator combination: ${desc}`, 400, {desc});
  }
  const rest = terms.filter((term) => term !== anchor);
  const message = findMessage(act.server.db, messageIdOperand(anchor.operand, invalidWith));
  if (message === undefined || !canReadMessage(act, viewer, message)) {
    const named = new Set(rest.map(({operator}) => operator));
    if (!named.has('dm') && !(named.has('channel') && named.has('topic'))) throw badNarrow(invalidWith);
    return rest;
  }
  return [...rest.filter(({operator}) => !replacedOperators.has(operator)), ...conversationOf(act, message)];
}

function conversationOf(act: Pick<ActionContext, 'server'>, message: MessageRow): NarrowTerm[] {
  if (message.channel_id !== null) {
    return [
      {operator: 'channel', operand: message.channel_id},
      {operator: 'topic', operand: message.topic},
    ];
  }
  const userIds = act.server.db.pluck('SELECT user_id FROM dm_member WHERE dm_id = ?', message.dm_id);
  return [{operator: 'dm', operand: userIds}];
}

/** The ids of messages have 32 bits on Zulip's servers. */
const maxMessageId = 2 ** 31 - 1;

/** Returns a message id, given as a number or as digits; throws BAD_NARROW for anything else. */
function messageIdOperand(operand: Operand, problem = 'Invalid message ID'): number {
  const id = typeof operand === 'string' && /^\d{1,15}$/.test(operand) ? Number(operand) : operand;
  if (typeof id !== 'number' || id < 0 || id > maxMessageId) throw badNarrow(problem);
  return id;
}

/** Returns the id of one user, named by id or e-mail address. */
function userOperand(act: Pick<ActionContext, 'server'>, viewer: UserRow, operand: Operand): number {
  const single = Array.isArray(operand) && operand.length === 1 ? operand[0] : operand;
  if (single === undefined || Array.isArray(single)) throw badNarrow('one user is needed');
  return userIdOf(act, viewer, single);
}

/** Returns the ids of users, given as a list of ids or as addresses joined by commas. It may be empty. */
function userOperands(act: Pick<ActionContext, 'server'>, viewer: UserRow, operand: Operand): number[] {
  const list = typeof operand === 'string' ? operand.split(',') : [operand].flat();
  const written = typeof operand === 'string' ? operand : `[${list.join(', ')}]`;
  return list.map((item) => userIdOf(act, viewer, item, `unknown user in ${written}`));
}

function userIdOf(
  {server}: Pick<ActionContext, 'server'>,
  viewer: UserRow,
  operand: number | string,
  problem = `unknown user ${operand}`,
): number {
  const user = typeof operand === 'number' ? findUser(server.db, operand) : findByText();
  if (user === undefined) throw badNarrow(problem);
  return user.id;

  function findByText(): UserRow | undefined {
    const text = String(operand).trim();
    const id = idOfDummyEmail(text, hostOf(server));
    if (id !== undefined) return findUser(server.db, id);
    const owner = findUserByEmail(server.db, text);
    // A hidden address is unknown: the response would reveal whose it is.
    return owner !== undefined && canSeeEmail(viewer, owner) ? owner : undefined;
  }
}
