import type {Conversation} from '#state/model/conversation.ts';
import type {SessionContext} from '#state/session-context.ts';

/** Returns the recipient arguments of requests. Messages to oneself name the user. */
function recipientArgs(conversation: Conversation, selfId: number) {
  if (conversation.kind === 'topic') {
    return {type: 'channel' as const, to: conversation.channelId, topic: conversation.topic};
  }
  const {userIds} = conversation;
  return {type: 'direct' as const, to: userIds.length === 0 ? [selfId] : [...userIds]};
}

/** Schedules a message and returns its id. `at` is in UNIX seconds, as everywhere below. */
export async function scheduleMessage(
  {api, cache}: SessionContext,
  message: {readonly conversation: Conversation; readonly content: string; readonly at: number},
): Promise<number> {
  const response = await api.createScheduledMessage({
    ...recipientArgs(message.conversation, cache.state.self.userId),
    content: message.content,
    scheduled_delivery_timestamp: message.at,
    read_by_sender: true,
  });
  return response.scheduled_message_id;
}

export interface ScheduleChange {
  readonly conversation?: Conversation;
  readonly content?: string;
  readonly at?: number;
}

export async function rescheduleMessage(
  {api, cache}: SessionContext,
  id: number,
  change: ScheduleChange,
): Promise<void> {
  const {conversation} = change;
  await api.editScheduledMessage({
    scheduled_message_id: id,
    ...(conversation !== undefined && recipientArgs(conversation, cache.state.self.userId)),
    ...(change.content !== undefined && {content: change.content}),
    ...(change.at !== undefined && {scheduled_delivery_timestamp: change.at}),
  });
}

/** Returns the id of the reminder. */
export async function createReminder(
  {api}: SessionContext,
  reminder: {readonly messageId: number; readonly at: number; readonly note?: string},
): Promise<number> {
  const response = await api.createReminder({
    message_id: reminder.messageId,
    scheduled_delivery_timestamp: reminder.at,
    ...(reminder.note !== undefined && reminder.note !== '' && {note: reminder.note}),
  });
  return response.reminder_id;
}
