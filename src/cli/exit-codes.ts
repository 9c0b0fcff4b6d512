/** The exit codes of all verbs. Scripts rely on them, so a number never changes its meaning. */
export const exitCodes = {
  /** Success. */
  ok: 0,
  /** The action failed: the server rejected it, or something that it needs was not found. */
  failed: 1,
  /** The command line is invalid. */
  usage: 2,
  /** There is no account, or the server rejects its API key. */
  login: 3,
  /** The server cannot be reached or did not respond in time. Trying again later may work. */
  unreachable: 4,
  /** The account lacks the permission. */
  refused: 5,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
