/** A channel, as far as it decides who may read what. */
export interface ChannelKind {
  readonly name: string;
  readonly isPrivate: boolean;
  readonly isWebPublic: boolean;
  /** Whether subscribers read only what was sent while they were subscribed. */
  readonly isProtected: boolean;
}

export const channelKinds: readonly ChannelKind[] = [
  {name: 'private with protected history', isPrivate: true, isWebPublic: false, isProtected: true},
  {name: 'private with shared history', isPrivate: true, isWebPublic: false, isProtected: false},
  {name: 'public', isPrivate: false, isWebPublic: false, isProtected: false},
  {name: 'web-public', isPrivate: false, isWebPublic: true, isProtected: false},
];

/** One user of a channel in which messages were sent one after the other. */
export interface Reader {
  readonly isGuest: boolean;
  /** For each message, whether the user was subscribed when it was sent. */
  readonly received: readonly boolean[];
  readonly isSubscribed: boolean;
}

/** Returns all ways in which a user can be subscribed to a channel, or not, during so many messages and after them. */
export function allHistories(messageCount: number): Omit<Reader, 'isGuest'>[] {
  return Array.from({length: 2 ** (messageCount + 1)}, (_, bits) => {
    const [isSubscribed = false, ...received] = Array.from(
      {length: messageCount + 1},
      (_, at) => ((bits >> at) & 1) === 1,
    );
    return {received, isSubscribed};
  });
}

/** Returns whether a user may read the message with this number, by the documentation of Zulip. */
export function reads(kind: ChannelKind, {isGuest, received, isSubscribed}: Reader, message: number): boolean {
  if (kind.isProtected) return isSubscribed && received[message] === true;
  if (kind.isPrivate || (isGuest && !kind.isWebPublic)) return isSubscribed;
  return true;
}

/** Returns whether a message is among a user's own, such as in the combined feed: it was received and is still readable. */
export function owns(kind: ChannelKind, reader: Reader, message: number): boolean {
  return reader.received[message] === true && reads(kind, reader, message);
}

/**
 * Returns the messages of which a user hears by an event about these: readers who are subscribed and, in public channels, those
 * who received one of them or one in between, unless they are guests.
 */
export function heard(kind: ChannelKind, reader: Reader, messages: readonly number[]): number[] {
  const readable = messages.filter((message) => reads(kind, reader, message));
  const [first = 0, last = first] = [messages[0], messages.at(-1)];
  const wasThere = reader.received.slice(first, last + 1).some((was) => was);
  return reader.isSubscribed || (!reader.isGuest && !kind.isPrivate && wasThere) ? readable : [];
}

/** Returns whether a message that nobody marked as read is unread: it came after the last time that the user subscribed. */
export function isUnread({received, isSubscribed}: Reader, message: number): boolean {
  return isSubscribed && received.slice(message).every((was) => was);
}
