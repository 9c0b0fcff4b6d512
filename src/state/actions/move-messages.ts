import {failureMessage, isRefusal} from '#api/failure.ts';
import type {SessionContext} from '#state/session-context.ts';
import type {PropagateMode} from '#wire/objects/message.ts';
import {resolvedPrefix, unresolvedTopic} from '#wire/objects/topic.ts';

export interface MoveRequest {
  /** One of the messages to move; with `change_all`, any message of the topic. */
  readonly messageId: number;
  readonly channelId?: number;
  readonly topic?: string;
  readonly mode: PropagateMode;
  readonly notifyOldTopic?: boolean;
  readonly notifyNewTopic?: boolean;
}

export type MoveOutcome = {readonly kind: 'moved'} | PartialMoveOffer;

/** Some messages are too old for this user to move, so none was moved; the newer ones could be. */
export interface PartialMoveOffer {
  readonly kind: 'partOnly';
  readonly firstMovableId: number;
  readonly movable: number;
  readonly total: number;
  /** A sentence for the user. */
  readonly problem: string;
  /** A request for `moveMessages` that moves what can be moved. */
  readonly partialMove: MoveRequest;
}

/**
 * Moves messages. There is no exact undo: moved messages cannot be distinguished from those that were already there.
 */
export async function moveMessages(context: SessionContext, move: MoveRequest): Promise<MoveOutcome> {
  const {api} = context;
  try {
    await api.editMessage({
      message_id: move.messageId,
      propagate_mode: move.mode,
      ...(move.channelId !== undefined && {stream_id: move.channelId}),
      ...(move.topic !== undefined && {topic: move.topic}),
      send_notification_to_old_thread: move.notifyOldTopic ?? false,
      send_notification_to_new_thread: move.notifyNewTopic ?? true,
    });
    return {kind: 'moved'};
  } catch (error) {
    const offer = partialMoveOffer(move, error);
    if (offer === undefined) throw error;
    return offer;
  }
}

function partialMoveOffer(move: MoveRequest, error: unknown): PartialMoveOffer | undefined {
  if (!isRefusal(error, 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED')) return undefined;
  const {
    first_message_id_allowed_to_move: first,
    total_messages_allowed_to_move: movable,
    total_messages_in_topic: total,
  } = error.body ?? {};
  if (first === undefined || movable === undefined || movable === 0 || total === undefined) return undefined;
  return {
    kind: 'partOnly',
    firstMovableId: first,
    movable,
    total,
    problem: failureMessage(error),
    partialMove: {...move, messageId: first, mode: 'change_later'},
  };
}

/** Resolves or unresolves a topic; `messageId` is any message of it. */
export async function updateTopicResolved(
  context: SessionContext,
  {messageId, topic, isResolved}: {messageId: number; topic: string; isResolved: boolean},
): Promise<MoveOutcome> {
  const unresolved = unresolvedTopic(topic);
  const renamed = isResolved ? `${resolvedPrefix}${unresolved}` : unresolved;
  if (renamed === topic) return {kind: 'moved'};
  return moveMessages(context, {messageId, topic: renamed, mode: 'change_all'});
}
