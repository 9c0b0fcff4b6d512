/** An account that the screen can show. */
export interface AccountChoice {
  readonly name: string;
  /** What one reads behind the name: who, where. */
  readonly detail: string;
  readonly isShown: boolean;
  /** Unread messages outside of muted places; undefined while it was not opened. */
  readonly unreadCount: number | undefined;
}

/** All of them, in the order of their numbers; handed down from the top. */
export interface Accounts {
  list(): readonly AccountChoice[];
  /** Shows another one. Those that were opened stay connected. */
  show(index: number): void;
}

export const onlyAccount: Accounts = {list: () => [], show: () => {}};
