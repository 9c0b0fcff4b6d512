import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {formatZuliprc} from '#config/zuliprc.ts';
import {Secret} from '#std/secret.ts';
import {builtProgram} from './built-program.ts';

/** Who to be, and where. */
export interface SignIn {
  readonly site: string;
  readonly email: string;
  readonly apiKey: string;
}

export interface ParleyCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

export interface ParleyCommandOptions {
  /** Everything it keeps is in here. */
  readonly home: string;
  readonly args?: readonly string[];
  /** The account of its `~/zuliprc`; without one it has none of its own. */
  readonly signIn?: SignIn;
  /** More for its environment, which otherwise holds nothing of the user's. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** How the built program is started in a home of its own. */
export function parleyCommand({home, args = [], signIn, env = {}}: ParleyCommandOptions): ParleyCommand {
  mkdirSync(home, {recursive: true});
  if (signIn !== undefined) writeZuliprc(join(home, 'zuliprc'), signIn);
  return {
    file: process.execPath,
    args: [builtProgram(), ...args],
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

/** A credentials file as users have it. */
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
