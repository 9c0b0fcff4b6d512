/**
 * What arrived instead of the expected response: the server is busy or names a time to wait, a web page came from
 * something before it, or the response cannot be read. Undefined when nothing arrived at all.
 */
export type ServerBusyResponse = 'busy' | 'wait' | 'webPage' | 'unreadable';

/** The state of the connection, for the status line and for everything that waits for the server. */
export type ConnectionStatus =
  /** Nothing received yet; what is shown, if anything, was saved on disk at `savedAt`. */
  | {readonly phase: 'starting'; readonly savedAt: number | undefined; readonly silentSince?: number | undefined}
  /** `silentSince`: a request has had no response since then, by the monotonic clock. */
  | {readonly phase: 'online'; readonly silentSince?: number | undefined}
  /** The next attempt is at `retryAt`, by the monotonic clock; `since` is when the connection was lost, since the epoch. */
  | {
      readonly phase: 'offline';
      readonly since: number;
      readonly retryAt: number | undefined;
      readonly problem: string;
      readonly savedAt: number | undefined;
      readonly answered?: ServerBusyResponse | undefined;
    }
  /**
   * The API key is no longer valid, or the account or organization is deactivated: then a new key does not help. Retried
   * with growing pauses.
   */
  | {readonly phase: 'signedOut'; readonly problem: string; readonly isDeactivated?: boolean}
  /** The server is too old, or its responses are unreadable. Retried only at the user's request. */
  | {readonly phase: 'refused'; readonly problem: string}
  | {readonly phase: 'stopped'};
