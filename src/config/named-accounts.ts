import {existsSync, readdirSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {ConfigError} from './config-error.ts';
import type {Paths} from './paths.ts';
import {
  createPrivateFile,
  ensurePrivateDirectory,
  errorCode,
  readSmallFile,
  writePrivateFile,
} from './private-files.ts';
import {formatZuliprc, type Zuliprc} from './zuliprc.ts';

const ending = '.zuliprc';

/** The named accounts: one zuliprc each, and the name of the one that is used unless another is asked for. */
export class NamedAccounts {
  readonly #directory: string;
  readonly #defaultFile: string;

  constructor(paths: Pick<Paths, 'config'>) {
    this.#directory = join(paths.config, 'accounts');
    this.#defaultFile = join(paths.config, 'default-account');
  }

  names(): string[] {
    const files = entries(this.#directory).filter((file) => file.endsWith(ending));
    return files
      .map((file) => file.slice(0, -ending.length))
      .filter(isAccountName)
      .sort();
  }

  has(name: string): boolean {
    return isAccountName(name) && existsSync(this.file(name));
  }

  file(name: string): string {
    return join(this.#directory, name + ending);
  }

  /** False when there is an account of that name already. */
  add(name: string, zuliprc: Zuliprc): boolean {
    checkName(name);
    ensurePrivateDirectory(this.#directory);
    return createPrivateFile(this.file(name), formatZuliprc(zuliprc));
  }

  replace(name: string, zuliprc: Zuliprc): void {
    checkName(name);
    ensurePrivateDirectory(this.#directory);
    writePrivateFile(this.file(name), formatZuliprc(zuliprc));
  }

  /** The default goes with it. */
  remove(name: string): void {
    rmSync(this.file(name));
    if (this.chosenDefault() === name) rmSync(this.#defaultFile, {force: true});
  }

  /** As chosen; whether there still is such an account is another question. */
  chosenDefault(): string | undefined {
    if (!existsSync(this.#defaultFile)) return undefined;
    return readSmallFile(this.#defaultFile).trim() || undefined;
  }

  setDefault(name: string): void {
    if (!this.has(name)) throw new ConfigError(this.unknownAccountText(name));
    writePrivateFile(this.#defaultFile, `${name}\n`);
  }

  /** The sentence for a name that no account has. */
  unknownAccountText(name: string): string {
    const names = this.names();
    const others = names.length === 0 ? '“parley login” adds one.' : `There are: ${names.join(', ')}.`;
    return `There is no account “${name}”. ${others}`;
  }
}

/** One that is safe as a file name and easy on a command line. */
export function isAccountName(name: string): boolean {
  return /^[\p{L}\p{N}][\p{L}\p{N}._@-]{0,63}$/u.test(name);
}

function checkName(name: string): void {
  if (isAccountName(name)) return;
  throw new ConfigError(
    `“${name}” cannot name an account: use letters, digits, “.”, “-”, “_” and “@”, at most 64.`,
  );
}

function entries(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw new ConfigError(
      `${directory} cannot be read: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
}
