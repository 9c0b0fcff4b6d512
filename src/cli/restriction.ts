import type {Socket} from 'node:net';
import {type CliIo, PlainFailure} from './io.ts';

/** The account of a session over SSH. Its key is valid for one connection and is never on disk. */
interface ConnectionAccount {
  readonly site: string;
  readonly email: string;
  readonly key: string;
  readonly name: string;
}

/** What a session over SSH has instead of the machine that it runs on. */
export interface Restriction {
  readonly account: ConnectionAccount;
  /** Returns a new connection to the server. The session cannot open any itself. */
  readonly openSocket: () => Promise<Socket>;
  /** Undefined with the options of V8 that a screen has elsewhere. */
  readonly collectGarbage: (() => Promise<void>) | undefined;
}

/** What people cannot do over SSH because it would use the machine of the server, and the sentence that says so. */
export const refusedOverSsh = {
  editor: 'Over SSH there is no editor: the composer takes several lines, and text can be pasted.',
  attach: 'Over SSH, files come through the connection: run “ssh … upload - --name NAME < FILE” on your machine.',
  save: 'Over SSH, files are saved by “ssh … download LINK > FILE” on your machine; o copies the link.',
  clipboardImage:
    'Over SSH the images of your clipboard cannot be read: “ssh … upload - --name NAME < FILE” sends one.',
  suspend: 'Over SSH there is no shell to return to. Quit with Ctrl-C twice, or end the connection with Enter ~ .',
  accounts: 'Over SSH there is only the account of your key. Other accounts are opened on your machine.',
  files: 'Over SSH no file of the server can be named: standard input and output are yours.',
  machine: 'Not available over SSH: it works on files or programs of the machine that runs it.',
} as const;

export type RefusedOverSsh = keyof typeof refusedOverSsh;

/** Throws in a session over SSH. */
export function refuseOverSsh({restriction}: Pick<CliIo, 'restriction'>, what: RefusedOverSsh): void {
  if (restriction !== undefined) throw new PlainFailure(refusedOverSsh[what]);
}
