/**
 * A response that asks to come back later: the server is busy, or names a time to wait. Without one, the
 * server does not respond at all.
 */
export type ServerBusyResponse = 'busy' | 'wait';

/** The state of the connection, for the status line and for everything that waits for the server. */
export type ConnectionStatus =
  /** Nothing received yet; what is shown, if anything, was saved on disk at `savedAt`. */
  | {readonly phase: 'starting'; readonly savedAt: number | undefined}
  | {readonly phase: 'online'}
  /** The next attempt is at `retryAt`; `since` is when the connection was lost. Milliseconds since the epoch. */
  | {
      readonly phase: 'offline';
      readonly since: number;
      readonly retryAt: number | undefined;
      readonly problem: string;
      readonly savedAt: number | undefined;
      readonly answered?: ServerBusyResponse | undefined;
    }
  /** The API key is no longer valid, or the organization is deactivated: only signing in again helps. */
  | {readonly phase: 'signedOut'; readonly problem: string}
  /** The server is too old, or its responses are unreadable. Retried only at the user's request. */
  | {readonly phase: 'refused'; readonly problem: string}
  | {readonly phase: 'stopped'};
