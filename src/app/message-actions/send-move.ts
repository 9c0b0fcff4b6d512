import type {App} from '#app/core/app.ts';
import {redirectViews} from '#app/navigation/navigation.ts';
import {confirm} from '#app/overlays/picker.ts';
import {requestFromServer} from '#app/requests/server-request.ts';
import {type MoveRequest, moveMessages} from '#state/actions/messages.ts';
import {fetchPage, messagesRequest} from '#state/fetches/fetch-page.ts';
import {conversationKey, type TopicConversation} from '#state/model/conversation.ts';
import type {Message} from '#state/model/message.ts';
import {conversationNarrow, narrowKey} from '#state/model/narrow.ts';
import {topicExists} from '#state/selectors/lists/conversation-rows.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';
import type {AccountState} from '#state/state.ts';
import {composed} from '#std/composed-text.ts';
import {withUndoKey} from '#ui/core/toast-message.ts';
import type {PropagateMode} from '#wire/objects/message.ts';

/** Undo moves merged messages back one by one; more of them would exceed a server's rate limit. */
export const maxUndoableMerge = 100;

/** Whether the moved messages join messages of another topic. */
export function isMerge(account: AccountState, from: TopicConversation, to: TopicConversation): boolean {
  return conversationKey(from) !== conversationKey(to) && topicExists(account, to.channelId, to.topic) === true;
}

/** Returns the messages that would move, oldest first; undefined when not all of them are loaded. */
export function loadedMove(
  account: AccountState,
  from: TopicConversation,
  {messageId, mode}: {readonly messageId: number; readonly mode: PropagateMode},
): readonly number[] | undefined {
  if (mode === 'change_one') return [messageId];
  const timeline = account.timelines.get(narrowKey(conversationNarrow(from)));
  if (timeline?.hasNewest !== true || (mode === 'change_all' && !timeline.hasOldest)) return undefined;
  const ids = timeline.ids.toArray();
  return mode === 'change_all' ? ids : ids.filter((id) => id >= messageId);
}

const tooManyMergedText = `Not undone: more than ${maxUndoableMerge} messages were merged into a topic that existed before`;

/** Moves messages and records an undo. */
export function sendMove(app: App, from: TopicConversation, to: TopicConversation, request: MoveRequest): void {
  const title = conversationTitle(app.state, to);
  requestFromServer(app, {
    progressText: composed`Moving to ${title}…`,
    send: async () => {
      // Whether the topic exists decides what undo has to do, so the list of topics must be complete.
      await app.session.fetchTopics(to.channelId);
      const isMerged = isMerge(app.state, from, to);
      // The messages that undo has to move one by one; none for a whole topic that got a new name.
      const moved = isMerged || request.mode === 'change_later' ? await movedIds(app, from, request) : [];
      return {outcome: await moveMessages(app.session.context, request), isMerged, moved};
    },
    doneText: ({outcome, isMerged, moved}) => {
      if (outcome.kind === 'moved') {
        if (request.mode === 'change_all') redirectViews(app, from, to);
        const label = isMerged ? composed`Merged into ${title}` : composed`Moved to ${title}`;
        const isTooMany = moved.length > maxUndoableMerge;
        if (isMerged && isTooMany) {
          app.undoStack.pushPermanent(label, {problem: tooManyMergedText});
          return label;
        }
        const {messageId, mode} = request;
        // Moved back together, the messages are followed by the server's notice about the move.
        const merged = isTooMany ? [] : moved;
        app.undoStack.pushStep(label, {kind: 'move', from, to, messageId, mode, merged});
        return withUndoKey(label);
      }
      confirm(app, {
        title: 'The older messages can no longer be moved',
        yes: `Move the newer ${outcome.movable} of ${outcome.total}`,
        onYes: (confirmed) => sendMove(confirmed, from, to, outcome.partialMove),
      });
      return undefined;
    },
    failureText: 'Not moved',
  });
}

/** Returns the messages that are about to be moved, with one more than can be undone if there are more. */
async function movedIds(app: App, from: TopicConversation, request: MoveRequest): Promise<readonly number[]> {
  const loaded = loadedMove(app.state, from, request);
  if (loaded !== undefined) return loaded;
  const {context} = app.session;
  const send = messagesRequest(context, {
    anchor: request.mode === 'change_all' ? 'oldest' : request.messageId,
    num_before: 0,
    num_after: maxUndoableMerge + 1,
    narrow: [...conversationNarrow(from)],
  });
  return (await fetchPage(context, {send}, context.signal)).map(({id}) => id);
}

/** The number of notices of the server that may be in a topic beside moved messages. */
const maxNotices = 10;

/** Returns whether the topic would have nothing but the server's notices about moves without the given messages. */
export async function hasOnlyNoticesBeside(
  app: App,
  topic: TopicConversation,
  ids: readonly number[],
): Promise<boolean> {
  const {context} = app.session;
  const num_after = ids.length + maxNotices;
  const narrow = [...conversationNarrow(topic)];
  const send = messagesRequest(context, {anchor: 'oldest', num_before: 0, num_after, narrow});
  const page = await fetchPage(context, {send}, context.signal);
  const isNotice = ({senderId}: Message) => app.state.users.get(senderId)?.isSystemBot === true;
  return page.length < num_after && page.every((message) => ids.includes(message.id) || isNotice(message));
}
