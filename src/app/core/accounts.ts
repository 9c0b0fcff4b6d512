/** An account that the user can switch to. */
export interface AccountChoice {
  readonly name: string;
  /** The text behind the name: user name and server. */
  readonly detail: string;
  readonly isShown: boolean;
  /** Unread messages outside of muted conversations; undefined while the account was not opened. */
  readonly unreadCount: number | undefined;
}

/** The accounts in the order of their numbers. The program passes this to every App. */
export interface Accounts {
  list(): readonly AccountChoice[];
  /** Shows another account. Accounts that were opened stay connected. */
  show(index: number): void;
}

/** The account list of an App that has nothing to switch to. */
export const onlyAccount: Accounts = {list: () => [], show: () => {}};
