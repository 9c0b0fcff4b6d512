/** The size of a generated world. */
export interface WorldScale {
  readonly people: number;
  readonly channels: number;
  readonly messages: number;
  /** Your unread messages, the conversations they are in, and the channels you are subscribed to. */
  readonly unread: number;
  readonly unreadConversations: number;
  readonly yourChannels: number;
  readonly days: number;
}
