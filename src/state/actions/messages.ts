import {isApiFailure, isRefusal} from '#api/failure.ts';
import {withRetries} from '#api/retry.ts';
import {fetchMessage} from '#state/fetches/fetch-messages.ts';
import {isSubscribed} from '#state/selectors/permissions/channel-permissions.ts';
import type {SessionContext} from '#state/session-context.ts';

const maxAttempts = 4;

/** Deletes a message. It cannot be undone, so it is not shown optimistically. */
export async function deleteMessage(context: SessionContext, messageId: number): Promise<void> {
  const {api} = context;
  let mayBeGone = false;
  const attempt = async () => {
    try {
      await api.deleteMessage({message_id: messageId});
    } catch (error) {
      if (!isApiFailure(error)) throw error;
      mayBeGone ||= error.carriedOut === 'maybe';
      // The response to an earlier attempt was lost: a message that is gone counts as deleted.
      if (!mayBeGone || error.kind === 'retry' || !(await isGone(context, messageId))) throw error;
    }
  };
  await withRetries(attempt, {...context, idempotent: true, limit: maxAttempts});
}

async function isGone({api}: SessionContext, messageId: number): Promise<boolean> {
  try {
    await api.getMessage({message_id: messageId, apply_markdown: false});
    return false;
  } catch (error) {
    if (isApiFailure(error)) return isRefusal(error);
    throw error;
  }
}

/**
 * Votes in a poll or ticks a task; `content` is the widget's JSON. In a channel without a subscription no event reports it,
 * so the message is fetched again.
 */
export async function sendSubmessage(context: SessionContext, messageId: number, content: object): Promise<void> {
  const {api, cache} = context;
  await api.sendSubmessage({message_id: messageId, msg_type: 'widget', content: JSON.stringify(content)});
  const message = cache.state.messages.byId.get(messageId);
  if (message?.kind === 'channel' && !isSubscribed(cache.state, message.channelId)) {
    await fetchMessage(context, messageId);
  }
}

/** Reports a message to moderators; `type` is one of the kinds that the server lists. */
export async function reportMessage(
  {api}: SessionContext,
  messageId: number,
  report: {readonly type: string; readonly description?: string},
): Promise<void> {
  await api.reportMessage({
    message_id: messageId,
    report_type: report.type,
    ...(report.description !== undefined && {description: report.description}),
  });
}
