import {isPersistent, openStore, withStore} from '#cli/account-access/open-store.ts';
import {
  conversationNeeds,
  type StateContext,
  type StateNeeds,
  withSessionContext,
  withState,
} from '#cli/account-access/with-state.ts';
import {type CliIo, type ExitCode, exitCodes, PlainFailure, printNotice, UsageError} from '#cli/io.ts';
import {deliverMessage, unconfirmedFailure} from '#cli/messages/deliver-message.ts';
import {
  conversationFromFlags,
  findDestination,
  type KnownDestination,
  mayNamePeople,
  rememberDestination,
} from '#cli/messages/destination-arguments.ts';
import {contentFrom} from '#cli/messages/fetch-messages.ts';
import {conversationJson} from '#cli/messages/message-text.ts';
import {requirePermission} from '#cli/name-arguments.ts';
import {exitCodeOf} from '#cli/report-failure.ts';
import type {AccountStore} from '#state/account-store.ts';
import type {Conversation} from '#state/model/conversation.ts';
import {isBlank} from '#state/outbox/normalize-text.ts';
import {restoreState} from '#state/persistence/persistence.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';
import {canCreateTopic, canPost} from '#state/selectors/permissions/channel-permissions.ts';
import {newId} from '#state/session-context.ts';
import type {AccountState} from '#state/state.ts';
import {composed} from '#std/composed-text.ts';
import {printableLine} from '#std/printable.ts';
import {failureMessage, isApiFailure} from '#wire/failure.ts';
import {printResult, type VerbArguments, type VerbResult, type VerbRunner} from './verb-table.ts';

/** The data that checking and resolving a destination requires. */
export const sendNeeds = [
  ...conversationNeeds,
  'message',
  'realm_user_groups',
  'recent_private_conversations',
] as const;

export const send: VerbRunner<'send'> = async (verbArguments, io, signal) => {
  const {values} = verbArguments;
  const needs = requireRecipient(values.to);
  const content = await messageText(verbArguments, io);
  let isConnected = false;
  try {
    return await withState(values, io, signal, needs, (verbContext) => {
      isConnected = true;
      const conversation = conversationFromFlags(verbContext.state, values.to, values.topic);
      checkSending(verbContext, conversation, content);
      return sendNow(verbContext, verbArguments, conversation, content);
    });
  } catch (error) {
    if (isConnected || !isApiFailure(error) || exitCodeOf(error) !== exitCodes.unreachable) throw error;
    if (values.queue) return queueMessage(verbArguments, io, content, failureMessage(error));
    throw notSentFailure(failureMessage(error), exitCodes.unreachable, queueOffer);
  }
};

/** Returns the data that these recipients require. Throws when there is none. */
export function requireRecipient(to: readonly string[]): StateNeeds {
  if (to.length === 0) throw new UsageError('Name the recipient: --to "#channel>topic" or --to @name.');
  return {fetch: sendNeeds, people: to.some(mayNamePeople) ? 'all' : 'self'};
}

/** Returns the text of the message to send. Throws when it is empty. */
export async function messageText({values, words}: VerbArguments<'send' | 'schedule'>, io: CliIo): Promise<string> {
  const content = await contentFrom({message: values.message, word: words[0]}, io);
  if (isBlank(content)) throw new UsageError('The message is empty.');
  return content;
}

const queueOffer = ' With --queue it is saved and sent later.';

function notSentFailure(problem: string, code: ExitCode, offer = ''): PlainFailure {
  return new PlainFailure(`${problem} The message was not sent and not saved.${offer}`, code);
}

/** Throws when the message may not be sent or is too long. Checked before anything is saved or sent. */
export function checkSending({state, io}: Pick<StateContext, 'state' | 'io'>, to: Conversation, content: string): void {
  requirePermission(canPost(state, to, io.clock.now()));
  const maxLength = state.server.maxMessageLength ?? 10_000;
  // Servers strip trailing whitespace and leading line breaks, so these do not count.
  const text = content.trimEnd().replace(/^\n+/, '');
  const length = text.length <= maxLength ? text.length : [...text].length;
  if (length > maxLength) {
    throw new PlainFailure(`The message has ${length} characters; this server allows ${maxLength}.`);
  }
}

function sendNow(
  verbContext: StateContext,
  {values}: VerbArguments<'send'>,
  conversation: Conversation,
  content: string,
): Promise<ExitCode> {
  const {io, state} = verbContext;
  return withSessionContext(verbContext, async (context) => {
    const title = conversationTitle(state, conversation);
    rememberDestination(context.store.keyValues, values.to, values.topic, {conversation, title});
    const {entryId, delivery, outbox} = await deliverMessage(context, {conversation, content}, io);
    switch (delivery.kind) {
      case 'sent':
        return printResult(io, values, sentResult(state, conversation, delivery.messageId));
      case 'unconfirmed':
        throw unconfirmedFailure(delivery, context);
      case 'refused':
        outbox.discard(entryId);
        throw new PlainFailure(delivery.problem, refusalCode(state, conversation, delivery.exitCode, io));
      case 'waiting':
        if (values.queue && isPersistent(context.store)) {
          return reportQueued(io, {entryId, title, conversation}, delivery.problem, values);
        }
        outbox.discard(entryId);
        throw notSentFailure(delivery.problem, delivery.exitCode, values.queue ? '' : queueOffer);
    }
  });
}

/**
 * Without the permission to start topics, the server's bare refusal means that the topic is new, which only the server
 * knows.
 */
function refusalCode(state: AccountState, to: Conversation, code: ExitCode, {clock}: CliIo): ExitCode {
  if (code !== exitCodes.failed || to.kind !== 'topic') return code;
  return canCreateTopic(state, to.channelId, clock.now()).ok ? code : exitCodes.refused;
}

export function sentResult(state: AccountState, to: Conversation, id: number, more: object = {}): VerbResult {
  return {
    json: {id, status: 'sent', conversation: conversationJson(state, to), ...more},
    text: composed`Sent to ${printableLine(conversationTitle(state, to))}.`,
  };
}

/** Saves the message in the outbox without a connection, which needs a destination that is known on this machine. */
async function queueMessage(
  {values}: VerbArguments<'send'>,
  io: CliIo,
  content: string,
  problem: string,
): Promise<ExitCode> {
  const queue = async (store: AccountStore) => {
    if (!isPersistent(store)) throw notSentFailure(problem, exitCodes.unreachable);
    const destination = savedDestination(store, values, io, content);
    if (destination === undefined) {
      throw new PlainFailure(
        `${problem} The message was not saved either: “${values.to.join(', ')}” is not known without the server.`,
        exitCodes.unreachable,
      );
    }
    const {conversation} = destination;
    const entry = {id: newId(io.clock, io.random), conversation, content, createdAt: io.clock.now()};
    store.outbox.add({...entry, draftId: undefined});
    await store.synced();
    return reportQueued(io, {entryId: entry.id, ...destination}, problem, values);
  };
  return withStore(values, io, queue, openStore);
}

/** Returns the destination that these flags had before, or one that the last saved state can resolve. */
function savedDestination(
  store: AccountStore,
  {to, topic}: VerbArguments<'send'>['values'],
  io: CliIo,
  content: string,
): KnownDestination | undefined {
  const known = findDestination(store.keyValues, to, topic);
  if (known !== undefined) return known;
  const state = restoreState(store);
  if (state === undefined) return undefined;
  const conversation = conversationFromFlags(state, to, topic);
  checkSending({state, io}, conversation, content);
  return {conversation, title: conversationTitle(state, conversation)};
}

function reportQueued(
  io: CliIo,
  {entryId, title, conversation}: KnownDestination & {readonly entryId: string},
  problem: string,
  values: VerbArguments<'send'>['values'],
): ExitCode {
  printNotice(io, problem);
  return printResult(io, values, {
    json: {id: null, status: 'queued', outboxId: entryId, conversation: {title, ...conversation}},
    text: composed`Saved for ${printableLine(title)}. It is sent with the next “parley send” or “parley tail” of this account.`,
  });
}
