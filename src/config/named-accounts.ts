import {existsSync, readdirSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {errorText} from '#std/error-text.ts';
import type {Paths} from './paths.ts';
import {
  ConfigError,
  createPrivateFile,
  ensurePrivateDirectory,
  errorCode,
  readSmallFile,
  writePrivateFile,
} from './private-files.ts';
import {formatZuliprc, type Zuliprc} from './zuliprc.ts';

const extension = '.zuliprc';

/** The accounts that the user added under a name: one zuliprc file each, and a file with the name of the default. */
export class NamedAccounts {
  readonly #directory: string;
  readonly #defaultFile: string;

  constructor(paths: Pick<Paths, 'config'>) {
    this.#directory = join(paths.config, 'accounts');
    this.#defaultFile = join(paths.config, 'default-account');
  }

  names(): string[] {
    const files = entries(this.#directory).filter((file) => file.endsWith(extension));
    return files
      .map((file) => file.slice(0, -extension.length))
      .filter(isAccountName)
      .sort();
  }

  has(name: string): boolean {
    return isAccountName(name) && existsSync(this.file(name));
  }

  file(name: string): string {
    return join(this.#directory, name + extension);
  }

  /** Saves a new account. Returns false when the name is already taken. */
  add(name: string, zuliprc: Zuliprc): boolean {
    checkName(name);
    ensurePrivateDirectory(this.#directory);
    return createPrivateFile(this.file(name), formatZuliprc(zuliprc));
  }

  replace(name: string, zuliprc: Zuliprc): void {
    writePrivateFile(this.file(name), formatZuliprc(zuliprc));
  }

  /** Removes the account. If it was the default, there is no default afterwards. */
  remove(name: string): void {
    rmSync(this.file(name));
    if (this.chosenDefault() === name) rmSync(this.#defaultFile, {force: true});
  }

  /** Returns the name of the default account that the user chose, which may have been removed since. */
  chosenDefault(): string | undefined {
    if (!existsSync(this.#defaultFile)) return undefined;
    return readSmallFile(this.#defaultFile).trim() || undefined;
  }

  setDefault(name: string): void {
    if (!this.has(name)) throw new ConfigError(this.unknownAccountText(name));
    writePrivateFile(this.#defaultFile, `${name}\n`);
  }

  /** Returns the error message for an account name that does not exist. */
  unknownAccountText(name: string): string {
    const names = this.names();
    const hint = names.length === 0 ? 'Add one with “parley login”.' : `Accounts: ${names.join(', ')}.`;
    return `There is no account “${name}”. ${hint}`;
  }
}

/** Returns whether the name is safe as a file name and easy to type on a command line. */
export function isAccountName(name: string): boolean {
  return /^[\p{L}\p{N}][\p{L}\p{N}._@-]{0,63}$/u.test(name);
}

function checkName(name: string): void {
  if (isAccountName(name)) return;
  throw new ConfigError(
    `“${name}” is not a valid account name. Use at most 64 letters, digits, “.”, “-”, “_” and “@”.`,
  );
}

function entries(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw new ConfigError(`${directory} cannot be read: ${errorText(error)}.`);
  }
}
