import {readdirSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {Secret} from '#std/secret.ts';
import {displayPath, expandPath} from './paths.ts';
import {ConfigError, orConfigError, readSmallFile, writePrivateFile} from './private-files.ts';
import {normaliseSite} from './site.ts';

/** Settings for a TLS connection that the system's trusted certificates do not cover. */
export interface TlsFiles {
  /** Whether to accept any certificate. */
  readonly insecure: boolean;
  /** A PEM file with additional certificate authorities. */
  readonly certBundle?: string;
  readonly clientCert?: string;
  /** The key's file, when it is not the file of the certificate. */
  readonly clientCertKey?: string;
}

/** The parsed content of a `zuliprc` file. It has a key, or a command that prints it. */
export interface Zuliprc {
  readonly site: string;
  readonly email: string;
  readonly key: Secret | undefined;
  readonly keyCommand: string | undefined;
  readonly tls: TlsFiles;
}

/** Parses a zuliprc. `file` appears in error messages, and relative paths inside are resolved against its folder. */
export function parseZuliprc(text: string, file: string, home: string): Zuliprc {
  const values = parseIniSection(text, 'api', file);
  if (!hasIniSection(text, 'api')) throw new ConfigError(`${file} has no [api] section: it is not a zuliprc.`);
  const placeOf = (name: string) => `${name} in ${file}, line ${values.get(name)?.line ?? 0}`;
  /** Returns a one-line value without quotes around it, or undefined when it is empty. */
  const optional = (name: string) => {
    const {value = ''} = values.get(name) ?? {};
    if (/[\n\0]/.test(value)) throw new ConfigError(`${placeOf(name)}, must be on one line.`);
    const quoted = /^"([^"]*)"$|^'([^']*)'$/.exec(value);
    return (quoted === null ? value : (quoted[1] ?? quoted[2])) || undefined;
  };
  const required = (name: string) => {
    const value = optional(name);
    if (value === undefined) throw new ConfigError(missing(file, name));
    return value;
  };
  const path = (name: string) => {
    const value = optional(name);
    return value === undefined ? undefined : expandPath(value, dirname(file), home);
  };
  const keyCommand = optional('key_command');
  const key = keyCommand === undefined ? required('key') : optional('key');
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key)) {
    throw new ConfigError(`The ${placeOf('key')}, contains characters that are not valid in an API key.`);
  }
  const writtenSite = required('site');
  const site = orConfigError(() => normaliseSite(writtenSite));
  if (site instanceof ConfigError) throw new ConfigError(`The ${placeOf('site')}: ${site.message}`);
  const email = required('email');
  if (!isLoginName(email)) throw new ConfigError(`The ${placeOf('email')}, is not an e-mail address.`);
  const certBundle = path('cert_bundle');
  const clientCert = path('client_cert');
  const clientCertKey = path('client_cert_key');
  if (clientCertKey !== undefined && clientCert === undefined) {
    throw new ConfigError(`${file} has a client_cert_key but no client_cert.`);
  }
  // A typo such as “flase” is refused, because nobody can guess what it means.
  const insecure = booleanOf(optional('insecure') ?? 'false');
  if (insecure === undefined) throw new ConfigError(`${placeOf('insecure')}, is neither true nor false.`);
  return {
    site,
    email,
    key: key === undefined ? undefined : new Secret(key),
    keyCommand,
    tls: {
      insecure,
      ...(certBundle !== undefined && {certBundle}),
      ...(clientCert !== undefined && {clientCert}),
      ...(clientCertKey !== undefined && {clientCertKey}),
    },
  };
}

/** Reads a zuliprc. Throws a ConfigError when it cannot be read. */
export function readZuliprc(file: string, home: string): Zuliprc {
  return parseZuliprc(readSmallFile(file), file, home);
}

/** Replaces the key in a zuliprc file atomically, and leaves the rest of the file as it is. */
export function replaceKey(file: string, key: string): void {
  const text = readSmallFile(file);
  const at = parseIniSection(text, 'api', file).get('key')?.line;
  if (at === undefined) throw new ConfigError(missing(file, 'key'));
  const changed = lines(text).map((line, index) =>
    index === at - 1 ? line.replace(/(?<=^[^=:]*[=:]\s*)\S.*$/, () => key) : line,
  );
  writePrivateFile(file, changed.join('\n'));
}

/** Returns the text of a zuliprc file. */
export function formatZuliprc({site, email, key, keyCommand, tls}: Zuliprc): string {
  const entries: readonly (readonly [string, string | undefined])[] = [
    ['email', email],
    ['key', key?.reveal()],
    ['key_command', keyCommand],
    ['site', site],
    ['insecure', tls.insecure ? 'true' : undefined],
    ['cert_bundle', tls.certBundle],
    ['client_cert', tls.clientCert],
    ['client_cert_key', tls.clientCertKey],
  ];
  const lines = entries.flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}\n`]));
  return `[api]\n${lines.join('')}`;
}

/**
 * Returns whether the text can be the user name in HTTP basic authentication. User names from a directory
 * (LDAP) have no “@”.
 */
export function isLoginName(text: string): boolean {
  return text.length <= 1000 && /^[^\s:\p{Cc}]+$/u.test(text);
}

/** Returns what a word for on or off means; undefined for other words. */
export function booleanOf(word: string): boolean | undefined {
  if (/^(?:true|yes|on|1)$/i.test(word)) return true;
  return /^(?:false|no|off|0)$/i.test(word) ? false : undefined;
}

function missing(file: string, name: string): string {
  return `${file} has no “${name}” in its [api] section.`;
}

interface IniValue {
  readonly value: string;
  /** The line number, from 1. */
  readonly line: number;
}

/**
 * Parses one section as Python's ConfigParser does: names in any case, `=` or `:`, whole-line comments with
 * `#` or `;`, and continuation lines that are indented further than the name. Unlike ConfigParser it accepts
 * repeated sections and names: the last one wins. Other sections are ignored.
 */
function parseIniSection(text: string, section: string, file: string): ReadonlyMap<string, IniValue> {
  const values = new Map<string, IniValue>();
  let current: string | undefined;
  let open: string | undefined;
  let indent = 0;
  for (const [index, raw] of lines(text).entries()) {
    const line = index + 1;
    const content = raw.trim();
    if (content === '' || /^[#;]/.test(content)) continue;
    const header = /^\[([^\]]+)\]$/.exec(content);
    if (header !== null) {
      current = header[1]?.trim().toLowerCase();
      open = undefined;
      continue;
    }
    if (current === undefined) throw new ConfigError(`Line ${line} of ${file} comes before the first [section].`);
    if (current !== section) continue;
    const depth = raw.length - raw.trimStart().length;
    const above = open === undefined || depth <= indent ? undefined : values.get(open);
    if (above !== undefined && open !== undefined) {
      values.set(open, {...above, value: `${above.value}\n${content}`});
      continue;
    }
    const entry = /^([^=:]*[^=:\s])\s*[=:]\s*(.*)$/.exec(content);
    // The line itself is not shown: it may contain the API key.
    if (entry === null) throw new ConfigError(`Line ${line} of ${file} is neither “name = value” nor a comment.`);
    indent = depth;
    open = entry[1]?.toLowerCase() ?? '';
    values.set(open, {value: entry[2] ?? '', line});
  }
  return values;
}

export function hasIniSection(text: string, section: string): boolean {
  return lines(text).some((line) => line.trim().toLowerCase() === `[${section}]`);
}

function lines(text: string): string[] {
  return text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
}

const names = /^\.?zuliprc(?:[ ._(-].*)?$/;
const maxResults = 5;

/**
 * Returns the valid zuliprc files in the Downloads folder and the current directory. Files in the home
 * directory are used without asking, so they are not listed.
 */
export function findZuliprcs(home: string, cwd: string) {
  const directories = [...new Set([cwd, join(home, 'Downloads')])].filter((directory) => directory !== home);
  return directories
    .flatMap((directory) => filesIn(directory).map((name) => join(directory, name)))
    .flatMap((file) => foundIn(file, home))
    .slice(0, maxResults);
}

function filesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
      .filter((name) => names.test(name))
      .sort();
  } catch {
    return [];
  }
}

function foundIn(file: string, home: string) {
  const zuliprc = orConfigError(() => readZuliprc(file, home));
  // A command in it would run, and the file may have come with a download or an archive.
  if (zuliprc instanceof ConfigError || zuliprc.key === undefined) return [];
  const {email, site} = zuliprc;
  return [{file, shown: displayPath(file, home), email, site}];
}
