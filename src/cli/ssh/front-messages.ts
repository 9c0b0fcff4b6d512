import type {ProgramCommand} from '#std/program-files.ts';
import type {Limits} from './limits.ts';
import type {SessionStart} from './session-messages.ts';

/** What the SSH process needs to know before it listens. */
export interface FrontOptions {
  readonly host: string;
  readonly port: number;
  /** The folder in the data directory: the host key, the socket of the server, and the folders of people. */
  readonly folder: string;
  /** The name of the socket. */
  readonly socketName: string;
  readonly program: ProgramCommand;
  /** The options of Node for sessions. */
  readonly flags: readonly string[];
  readonly limits: Limits;
}

/** Who logs in with a key. */
export interface KeyOwner {
  readonly userId: number;
  readonly email: string;
}

/** What the SSH process asks the server, and the answers. */
export interface Questions {
  /** Whose is the key? `name` is the name that the client gives, which may be the code of an invitation. */
  readonly key: {
    readonly params: {readonly fingerprint: string; readonly name: string};
    readonly answer: {
      readonly owner?: KeyOwner;
      readonly invitation?: {readonly email: string | null; readonly organization: string};
    };
  };
  /** Creates the account of somebody with an invitation and adds the key, a line in OpenSSH's format. */
  readonly join: {
    readonly params: {readonly code: string; readonly fullName: string; readonly email: string; readonly key: string};
    readonly answer: {readonly owner?: KeyOwner; readonly problem?: string};
  };
  /** Makes the key of a connection, after the person has logged in. */
  readonly open: {
    readonly params: {readonly fingerprint: string; readonly userId: number};
    readonly answer: {readonly account?: SessionStart['account']};
  };
}

export type Question = {
  readonly [N in keyof Questions]: {readonly ask: N} & Questions[N]['params'];
}[keyof Questions];

/** What the log and the list of administration get about a connection. */
export interface ConnectionEvent {
  readonly event: 'login' | 'refusal' | 'join';
  readonly reason: string;
  readonly address: string;
  readonly user?: number | undefined;
}

export type FromFront =
  | {readonly kind: 'listening'; readonly port: number; readonly fingerprint: string}
  | {readonly kind: 'failed'; readonly problem: string}
  | {readonly kind: 'question'; readonly id: number; readonly question: Question}
  /** The connection with this key of the server has ended. */
  | {readonly kind: 'closed'; readonly key: string}
  | {readonly kind: 'event'; readonly event: ConnectionEvent}
  | {readonly kind: 'notice'; readonly text: string};

export type ToFront =
  | {readonly kind: 'serve'; readonly options: FrontOptions}
  | {readonly kind: 'answer'; readonly id: number; readonly answer: unknown}
  /** Ends the connections of a key or of a person. */
  | {readonly kind: 'end'; readonly fingerprint?: string; readonly userId?: number};
