/** What the exit code of every verb means; scripts rely on it, so a number never changes its meaning. */
export const exitCodes = {
  /** Done. */
  ok: 0,
  /** It could not be done: the server said no, or nothing was found where something was needed. */
  failed: 1,
  /** The command line makes no sense as it stands. */
  usage: 2,
  /** No account, or the server does not accept its key. */
  login: 3,
  /** The server cannot be reached, or did not answer in time. Trying again later may work. */
  unreachable: 4,
  /** The server understood, and this account is not allowed to. */
  refused: 5,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
