import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {launchFlags} from '#build/launch-flags.ts';
import {formatZuliprc} from '#config/zuliprc.ts';
import {Secret} from '#std/secret.ts';
import {builtProgram} from './built-program.ts';

/** The user and the server of an account. */
export interface SignIn {
  readonly site: string;
  readonly email: string;
  readonly apiKey: string;
}

interface ParleyCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

interface ParleyCommandOptions {
  /** The folder for all its files. */
  readonly home: string;
  readonly args?: readonly string[];
  /** The account of its `~/zuliprc`; without it there is none. */
  readonly signIn?: SignIn;
  /** Additional environment variables; it inherits none of the user's. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/**
 * Returns the command that starts the built program with its own home, as `npm start` does. `PARLEY_PROGRAM` names another build to start instead,
 * such as the single file.
 */
export function parleyCommand({home, args = [], signIn, env = {}}: ParleyCommandOptions): ParleyCommand {
  mkdirSync(home, {recursive: true});
  if (signIn !== undefined) writeZuliprc(join(home, 'zuliprc'), signIn);
  const {PARLEY_PROGRAM: program} = process.env;
  return {
    file: program ?? process.execPath,
    args: program === undefined ? [...launchFlags, builtProgram(), ...args] : args,
    env: {
      PATH: process.env.PATH,
      HOME: home,
      LANG: 'C.UTF-8',
      TZ: 'UTC',
      ...env,
    },
    cwd: home,
  };
}

/** Writes a zuliprc file. */
export function writeZuliprc(file: string, {site, email, apiKey}: SignIn): void {
  const text = formatZuliprc({
    site,
    email,
    key: new Secret(apiKey),
    keyCommand: undefined,
    tls: {insecure: false},
  });
  writeFileSync(file, text, {mode: 0o600});
}
