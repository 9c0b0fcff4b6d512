import {withSessionContext} from '#cli/account-access/with-session-context.ts';
import {type StateContext, withState} from '#cli/account-access/with-state.ts';
import {exitCodes} from '#cli/exit-codes.ts';
import {PlainFailure} from '#cli/failures.ts';
import {type CliIo, print, printJson, printNotice} from '#cli/io.ts';
import {changeOnce} from '#cli/make-change.ts';
import {fetchMessage, messageId} from '#cli/messages/message-arguments.ts';
import {contentFrom} from '#cli/messages/message-content.ts';
import {requirePermission} from '#cli/name-arguments.ts';
import {UsageError} from '#cli/usage-error.ts';
import type {VerbRunner} from '#cli/verbs/verb-runner.ts';
import type {VerbArguments} from '#cli/verbs/verb-table.ts';
import {editMessage} from '#state/actions/edit-message.ts';
import {type MoveRequest, moveMessages} from '#state/actions/move-messages.ts';
import {type TopicConversation, topicConversation} from '#state/model/conversation.ts';
import type {Message} from '#state/model/message.ts';
import {isBlank} from '#state/outbox/normalize-text.ts';
import {conversationTitle, topicFromText} from '#state/selectors/names/names.ts';
import {canEditContent, canMoveToChannel, canMoveToTopic} from '#state/selectors/permissions/message-permissions.ts';
import {parseDestination} from '#state/selectors/search/parse-destination.ts';
import type {SessionContext} from '#state/session-context.ts';
import {printableLine} from '#std/printable.ts';
import {messagePermissionNeeds} from './delete.ts';

type EditArguments = VerbArguments<'edit'>;

const modes = {one: 'change_one', later: 'change_later', all: 'change_all'} as const;

export const edit: VerbRunner<'edit'> = async (verbArguments, io, signal) => {
  const {values, words} = verbArguments;
  const content = await newContent(verbArguments, io);
  return withState(values, io, signal, {fetch: messagePermissionNeeds, people: 'self'}, (verbContext) =>
    withSessionContext(verbContext, async (context) => {
      const {state} = verbContext;
      const message = await fetchMessage(verbContext, await messageId(verbContext, words[0] ?? ''));
      const target = moveTarget(verbContext, verbArguments, message);
      // Both are checked before anything is changed.
      if (content !== undefined) requirePermission(canEditContent(state, message, io.clock.now()));
      if (content !== undefined) await editContent(context, message, content);
      const isMoved = target !== undefined && !isAlreadyThere(message, target);
      if (isMoved) await move(context, message, target, verbArguments, content === undefined ? undefined : io);
      if (values.json) {
        const to = target === undefined ? {} : {channelId: target.channelId, topic: target.topic};
        printJson(io, {id: message.id, isEdited: content !== undefined, isMoved, ...to});
      } else print(io, resultText(verbContext, content !== undefined, isMoved ? target : undefined));
      return exitCodes.ok;
    }),
  );
};

function resultText({state}: StateContext, isEdited: boolean, target: TopicConversation | undefined): string {
  const title = target === undefined ? '' : printableLine(conversationTitle(state, target));
  if (target === undefined) return isEdited ? 'Edited.' : 'The message is already there.';
  return isEdited ? `Edited, and moved to ${title}.` : `Moved to ${title}.`;
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
    const outcome = await changeOnce(() => moveMessages(context, request), 'Read the topic to check.');
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
