/** What came instead of an answer: that it cannot now, or when to come again. Without one, nobody is heard at all. */
export type ServerBusyResponse = 'busy' | 'wait';

/** How we stand with the server, for the status line and for everything that waits for it. */
export type ConnectionStatus =
  /** Nothing was heard yet; what is shown, if anything, is from disk, saved at `savedAt`. */
  | {readonly phase: 'starting'; readonly savedAt: number | undefined}
  | {readonly phase: 'online'}
  /** Trying again at `retryAt`; `since` is when it was lost. Milliseconds since the epoch. */
  | {
      readonly phase: 'offline';
      readonly since: number;
      readonly retryAt: number | undefined;
      readonly problem: string;
      readonly savedAt: number | undefined;
      readonly answered?: ServerBusyResponse | undefined;
    }
  /** The key is no longer good, or the organization is closed: only signing in again helps. */
  | {readonly phase: 'signedOut'; readonly problem: string}
  /** The server is too old, or answers with what nobody can read. Tried again only when asked. */
  | {readonly phase: 'refused'; readonly problem: string}
  | {readonly phase: 'stopped'};
