/** What the SSH process allows. A test has smaller ones. */
export const usualLimits = {
  /** Somebody who has not logged in after this time is disconnected. */
  loginMs: 30_000,
  /** Connections that have not logged in yet, of one network and in all. */
  newOfNetwork: 10,
  newInAll: 100,
  connectionsPerMinute: 60,
  /** Keys and other tries to log in, of one connection. An agent may offer several keys. */
  tries: 10,
  /** Sessions of one connection, as a client with a shared connection opens them, of one person, and in all. */
  sessionsOfConnection: 4,
  sessionsOfPerson: 10,
  sessionsInAll: 200,
  /** A screen without a key for so long is ended. */
  idleMs: 24 * 60 * 60 * 1000,
  /** What the folder of a person may contain, and how often that is looked at. */
  quotaBytes: 512 * 1024 * 1024,
  quotaCheckMs: 60_000,
};

export type Limits = Readonly<typeof usualLimits>;
