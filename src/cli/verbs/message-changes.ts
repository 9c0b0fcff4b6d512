import {conversationNeeds, type StateContext} from '#cli/account-access/with-state.ts';
import {type CliIo, exitCodes, PlainFailure, printNotice, UsageError} from '#cli/io.ts';
import {contentFrom, fetchMessage, messageId, messageIds} from '#cli/messages/fetch-messages.ts';
import {emojiNameArgument, requirePermission} from '#cli/name-arguments.ts';
import {deleteMessage, editMessage, type MoveRequest, moveMessages} from '#state/actions/messages.ts';
import {type TopicConversation, topicConversation} from '#state/model/conversation.ts';
import type {Message} from '#state/model/message.ts';
import {isBlank} from '#state/outbox/normalize-text.ts';
import {conversationTitle, topicFromText} from '#state/selectors/names/names.ts';
import {
  canDeleteMessage,
  canEditContent,
  canMoveToChannel,
  canMoveToTopic,
} from '#state/selectors/permissions/message-permissions.ts';
import {parseDestination} from '#state/selectors/search/parse-destination.ts';
import type {SessionContext} from '#state/session-context.ts';
import {batches} from '#std/batches.ts';
import {composed} from '#std/composed-text.ts';
import {printableLine} from '#std/printable.ts';
import {countedNoun} from '#wording/counted-noun.ts';
import {apiVerb, changeEach, sessionVerb, stateVerb} from './account-verb.ts';
import type {VerbArguments, VerbRunner} from './verb-table.ts';

/** Only the name of the emoji is sent: the server knows its own emoji. */
export const react: VerbRunner<'react'> = apiVerb(async (context) => {
  const {api, values, words} = context;
  const [message = '', emoji = ''] = words;
  const id = await messageId(context, message);
  const name = emojiNameArgument(emoji);
  const args = {message_id: id, emoji_name: name};
  await (values.remove ? api.removeReaction(args) : api.addReaction(args));
  return {
    json: {messageId: id, emojiName: name, isPresent: !values.remove},
    text: printableLine(values.remove ? composed`Removed :${name}:.` : composed`Reacted with :${name}:.`),
  };
});

export const star = starVerb('add', 'Starred');
export const unstar = starVerb('remove', 'Removed the star of');

function starVerb(op: 'add' | 'remove', done: string): VerbRunner<'star' | 'unstar'> {
  return stateVerb({fetch: [], people: 'self'}, async (context) => {
    const messages = await messageIds(context, context.words);
    await requireMessages(context, messages);
    await context.api.updateFlags({messages, op, flag: 'starred'});
    return {
      json: {messageIds: messages, isStarred: op === 'add'},
      text: `${done} ${countedNoun(messages.length, 'message')}.`,
    };
  });
}

const pageSize = 200;

/** Throws when one of the messages does not exist: servers ignore its id without a word. */
async function requireMessages({api, state}: StateContext, ids: readonly number[]): Promise<void> {
  if (!state.server.abilities.messagesByIds) {
    for (const id of ids) await api.getMessage({message_id: id});
    return;
  }
  for (const page of batches(ids, pageSize)) {
    const {messages} = await api.getMessages({message_ids: page, apply_markdown: false, client_gravatar: true});
    const missing = page.find((id) => !messages.some((message) => message.id === id));
    if (missing !== undefined) throw new PlainFailure(`There is no message ${missing}, or you cannot see it.`);
  }
}

/** The data that the permissions for a message require. */
const permissionNeeds = {fetch: [...conversationNeeds, 'realm_user_groups'], people: 'self'} as const;

const deleteMessages: VerbRunner<'delete'> = sessionVerb(permissionNeeds, async (context) => {
  const {state, io, session} = context;
  const ids = await messageIds(context, context.words);
  for (const id of ids) {
    requirePermission(canDeleteMessage(state, await fetchMessage(context, id), io.clock.now()));
  }
  const messages = countedNoun(ids.length, 'message');
  const partlyText = ({length}: readonly number[]) => `${length} of ${messages} were deleted before this failure:`;
  await changeEach(io, ids, (id) => deleteMessage(session, id), partlyText);
  return {json: {deleted: ids}, text: `Deleted ${messages}.`};
});

export {deleteMessages as delete};

type EditArguments = VerbArguments<'edit'>;

const modes = {one: 'change_one', later: 'change_later', all: 'change_all'} as const;

export const edit: VerbRunner<'edit'> = sessionVerb(
  async (verbArguments, io) => ({...permissionNeeds, content: await newContent(verbArguments, io)}),
  async (context, {content}) => {
    const {state, io, session, words} = context;
    const message = await fetchMessage(context, await messageId(context, words[0] ?? ''));
    const target = moveTarget(context, context, message);
    const isEdited = content !== undefined;
    // Both are checked before anything is changed.
    if (isEdited) requirePermission(canEditContent(state, message, io.clock.now()));
    if (isEdited) await editContent(session, message, content);
    const isMoved = target !== undefined && !isAlreadyThere(message, target);
    if (isMoved) await move(session, message, target, context, isEdited ? io : undefined);
    const to = target === undefined ? {} : {channelId: target.channelId, topic: target.topic};
    return {
      json: {id: message.id, isEdited, isMoved, ...to},
      text: resultText(context, isEdited, isMoved ? target : undefined),
    };
  },
);

function resultText({state}: StateContext, isEdited: boolean, target: TopicConversation | undefined): string {
  const title = target === undefined ? '' : printableLine(conversationTitle(state, target));
  if (target === undefined) return isEdited ? 'Edited.' : 'The message is already there.';
  return isEdited ? composed`Edited, and moved to ${title}.` : composed`Moved to ${title}.`;
}

/** Returns the new text; undefined when the message is only moved. */
async function newContent({values, words}: EditArguments, io: CliIo): Promise<string | undefined> {
  const {message, topic, to, propagate, notify} = values;
  const isMove = topic !== undefined || to !== undefined;
  if (!isMove && (propagate ?? notify) !== undefined) {
    throw new UsageError('--propagate and --notify need --topic or --to.');
  }
  if (isMove && message === undefined && words[1] === undefined) return undefined;
  const content = await contentFrom({message, word: words[1]}, io);
  if (isBlank(content)) throw new UsageError('The new text is empty. To delete a message, use “parley delete”.');
  return content;
}

/** Returns where the message is to be moved. Throws when it may not be. */
function moveTarget(
  {state, io}: StateContext,
  {values}: EditArguments,
  message: Message,
): TopicConversation | undefined {
  if (values.topic === undefined && values.to === undefined) return undefined;
  if (message.kind === 'direct') throw new PlainFailure('Direct messages cannot be moved.', exitCodes.failed);
  const named = values.to === undefined ? {channelId: message.channelId} : channelAndTopic(state, values.to);
  if (named.topic !== undefined && values.topic !== undefined) {
    throw new UsageError('The topic is given twice, in --to and in --topic. Leave one out.');
  }
  const written = values.topic === undefined ? message.topic : topicFromText(state, values.topic);
  const target = topicConversation(named.channelId, named.topic ?? written);
  const now = io.clock.now();
  if (target.channelId !== message.channelId) {
    requirePermission(canMoveToChannel(state, message, now, target.channelId));
  }
  if (target.topic !== message.topic) requirePermission(canMoveToTopic(state, message, now));
  return target;
}

function channelAndTopic(state: StateContext['state'], to: string): {channelId: number; topic?: string} {
  const destination = parseDestination(state, /^#|^https?:/i.test(to) ? to : `#${to}`, 'exact');
  if (destination.kind === 'problem') throw new PlainFailure(destination.problem);
  if (destination.kind === 'conversation' && destination.conversation.kind === 'topic') return destination.conversation;
  const [term] = destination.kind === 'narrow' ? destination.narrow : [];
  if (term?.operator !== 'channel') throw new UsageError(`“${to}” is not a channel.`);
  return {channelId: Number(term.operand)};
}

function isAlreadyThere(message: Message, {channelId, topic}: TopicConversation): boolean {
  return message.kind === 'channel' && message.channelId === channelId && message.topic === topic;
}

async function editContent(context: SessionContext, {id, content: before}: Message, after: string): Promise<void> {
  const outcome = await editMessage(context, id, {before, after});
  if (outcome.kind === 'conflict') {
    throw new PlainFailure('Someone else edited this message at the same moment. Nothing was changed.');
  }
}

/** Moves the message. If it was edited before, `editedIo` gets a notice about that when moving fails. */
async function move(
  context: SessionContext,
  message: Message,
  {channelId, topic}: TopicConversation,
  {values}: EditArguments,
  editedIo: CliIo | undefined,
): Promise<void> {
  const notify = values.notify ?? 'new';
  const request: MoveRequest = {
    messageId: message.id,
    mode: modes[values.propagate ?? 'one'],
    ...(message.kind === 'channel' && message.channelId !== channelId && {channelId}),
    ...(message.kind === 'channel' && message.topic !== topic && {topic}),
    notifyOldTopic: notify === 'old' || notify === 'both',
    notifyNewTopic: notify === 'new' || notify === 'both',
  };
  try {
    const outcome = await moveMessages(context, request);
    if (outcome.kind === 'moved') return;
    const newer = `${outcome.movable} of ${outcome.total} messages`;
    throw new PlainFailure(
      `${outcome.problem} To move the newer ${newer}, use message ${outcome.firstMovableId} with “--propagate later”.`,
      exitCodes.refused,
    );
  } catch (error) {
    if (editedIo !== undefined) printNotice(editedIo, 'The text was changed before this failure:');
    throw error;
  }
}
