export interface WorldScale {
  readonly people: number;
  readonly channels: number;
  readonly messages: number;
  /** For the person you are: unread messages, in how many conversations, subscribed to how many channels. */
  readonly unread: number;
  readonly unreadConversations: number;
  readonly yourChannels: number;
  readonly days: number;
}
