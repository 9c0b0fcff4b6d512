import type {Conversation} from '#state/model/conversation.ts';
import type {AccountState} from '#state/state.ts';

type Subscriptions = Pick<AccountState, 'subscriptions'>;

/** Returns the colour that the user chose for a channel; undefined without a subscription. */
export function channelColor({subscriptions}: Subscriptions, channelId: number | undefined): string | undefined {
  const own = channelId === undefined ? undefined : subscriptions.get(channelId);
  return own?.isSubscribed === true ? own.color : undefined;
}

export function conversationColor(account: Subscriptions, conversation: Conversation | undefined): string | undefined {
  return conversation?.kind === 'topic' ? channelColor(account, conversation.channelId) : undefined;
}
