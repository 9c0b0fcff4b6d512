import type {Size} from '#ui/core/screen-state.ts';

/** What a session gets when it is given to a person who has logged in. */
export interface SessionStart {
  /** The words after the name of the host; empty to open the screen. */
  readonly args: readonly string[];
  /** Of the client's terminal; undefined when it has none. */
  readonly size: Size | undefined;
  /** The variables of the client that were accepted. */
  readonly env: Readonly<Record<string, string>>;
  readonly account: {readonly site: string; readonly email: string; readonly key: string; readonly name: string};
}

/** What the SSH process sends to a session. A connection to the server comes as the handle of its `socket` message. */
export type ToSession =
  | {readonly kind: 'start'; readonly start: SessionStart}
  | {readonly kind: 'size'; readonly size: Size}
  | {readonly kind: 'socket'; readonly id: number; readonly problem?: string};

/** What a session sends to the SSH process: it can be given to somebody, or it needs a connection to the server. */
export type FromSession = {readonly kind: 'ready'} | {readonly kind: 'socket'; readonly id: number};
