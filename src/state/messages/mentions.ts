import type {Conversation} from '#state/model/conversation.ts';
import type {MessageFlag} from '#state/model/message.ts';
import type {AccountState} from '#state/state.ts';
import {isTopicMuted} from '#state/unreads/muting.ts';

const wildcards: ReadonlySet<MessageFlag> = new Set([
  'wildcard_mentioned',
  'stream_wildcard_mentioned',
  'topic_wildcard_mentioned',
]);

export function isMentionFlag(flag: MessageFlag): boolean {
  return flag === 'mentioned' || wildcards.has(flag);
}

/** Mentions by name always count; those of everybody only where one has not muted. */
export function mentionsUser(
  state: Pick<AccountState, 'userTopics' | 'subscriptions'>,
  flags: readonly MessageFlag[],
  where: Conversation,
): boolean {
  if (flags.includes('mentioned')) return true;
  if (!flags.some((flag) => wildcards.has(flag))) return false;
  return where.kind === 'direct' || !isTopicMuted(state, where.channelId, where.topic);
}
