import {type Conversation, conversationKey} from '#state/model/conversation.ts';
import {normalizedContent} from '#state/outbox/normalize-text.ts';
import type {AccountState} from '#state/state.ts';

/** The number of newest messages that are compared. */
const lookBack = 10;

/** Returns whether the same text is in the outbox for the conversation, or among its newest messages. */
export function isAlreadySent(account: AccountState, conversation: Conversation, text: string): boolean {
  const key = conversationKey(conversation);
  const normalized = normalizedContent(text, account);
  const isSame = (content: string) => normalizedContent(content, account) === normalized;
  const {outbox, messages, self} = account;
  const isInOutbox = outbox.some(({conversation: to, content}) => conversationKey(to) === key && isSame(content));
  if (isInOutbox) return true;
  const ids = messages.byConversation.get(key);
  let id = ids?.last();
  for (let count = 0; id !== undefined && count < lookBack; count++) {
    const message = messages.byId.get(id);
    if (message?.senderId === self.userId && isSame(message.content)) return true;
    id = ids?.before(id);
  }
  return false;
}
