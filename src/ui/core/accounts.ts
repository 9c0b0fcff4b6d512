import type {ShownUnreads} from '#state/selectors/unreads/view-unreads.ts';

/** An account that the user can switch to. */
export interface AccountChoice {
  readonly name: string;
  /** The text behind the name: user name and server. */
  readonly detail: string;
  readonly isShown: boolean;
  /** Unread messages outside of muted conversations; undefined while the account was not opened. */
  readonly unreads: ShownUnreads | undefined;
}

/** The accounts in the order of their numbers. The program passes this to every App. */
export interface Accounts {
  list(): readonly AccountChoice[];
  /** Shows another account. Accounts that were opened stay connected. */
  show(index: number): void;
  /**
   * Finds the server at an address; resolves with undefined when the text was the path of a zuliprc, whose account was added.
   * It and the functions of the server reject with an error whose message is for the user. They show the account that they add.
   * Undefined where accounts cannot be switched.
   */
  startLogin?(addressOrPath: string): Promise<LoginServer | undefined>;
}

/** A server that the user wants to log in to. */
export interface LoginServer {
  readonly site: string;
  /** The name of the organization. */
  readonly name: string;
  /** Warnings about the server and the connection. */
  readonly notices: readonly string[];
  readonly acceptsPasswords: boolean;
  /** How the user can log in with the browser, if at all. */
  readonly browserLogins: readonly BrowserLogin[];
  logIn(email: string, passwordOrKey: string): Promise<void>;
}

export interface BrowserLogin {
  readonly name: string;
  /** The address to open in a browser, on any machine. */
  readonly address: string;
  /** What to do in the browser. */
  readonly steps: string;
  /** Logs in with the address that the browser was sent to. */
  finish(pasted: string): Promise<void>;
}

/** The account list of an App that has nothing to switch to. */
export const onlyAccount: Accounts = {list: () => [], show: () => {}};
