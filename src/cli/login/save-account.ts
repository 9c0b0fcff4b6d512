import {isApiFailure} from '#api/failure.ts';
import {shortPrintableLine} from '#api/failure-text.ts';
import {connect} from '#cli/account-access/connect.ts';
import {demoName} from '#cli/account-access/open-account.ts';
import {PlainFailure} from '#cli/failures.ts';
import type {CliIo} from '#cli/io.ts';
import {ConfigError, orConfigError} from '#config/config-error.ts';
import {apiKeyGetter} from '#config/load-account.ts';
import {isAccountName, NamedAccounts} from '#config/named-accounts.ts';
import {pathsOf} from '#config/paths.ts';
import {readZuliprc, type Zuliprc} from '#config/zuliprc.ts';
import {endpoints} from '#wire/endpoints.ts';
import type {Prompt} from './prompt.ts';

/** Returns the names of the key's owner and of the organization. Throws when the server rejects the key. */
export async function verifyKey(
  zuliprc: Zuliprc,
  io: CliIo,
): Promise<{fullName: string; organization: string | undefined}> {
  const {site, email, tls} = zuliprc;
  const connection = await connect({site, email, tls, key: apiKeyGetter(zuliprc, 'this account', io)}, io);
  try {
    const {full_name} = await connection.call(endpoints.getOwnUser, {});
    const {realm_name} = await connection.call(endpoints.getServerSettings, {});
    return {fullName: shortPrintableLine(full_name), organization: realm_name};
  } catch (error) {
    if (!isApiFailure(error) || error.kind !== 'login') throw error;
    throw new ConfigError(`${site} rejects this API key for ${email}. The account was not saved.`);
  } finally {
    await connection.close();
  }
}

/**
 * Saves the account under a name. A login for the same user and server replaces the saved account; another
 * account is replaced only after the user confirms.
 */
export async function saveAccount(
  {zuliprc, organization}: {readonly zuliprc: Zuliprc; readonly organization: string | undefined},
  requestedName: string | undefined,
  io: CliIo,
  prompt: Prompt | undefined,
): Promise<{name: string; isDefault: boolean; isUpdate: boolean}> {
  const accounts = new NamedAccounts(pathsOf(io.env, io.home));
  const existing = accounts.names();
  const same = existing.find((name) => isSame(accounts, name, zuliprc, io));
  const name = requestedName ?? same ?? freeName(accounts, organization, zuliprc.site);
  const isUpdate = !accounts.add(name, zuliprc);
  if (isUpdate) {
    if (!isSame(accounts, name, zuliprc, io)) await confirmReplacing(name, prompt);
    accounts.replace(name, zuliprc);
  }
  // An account that was in use without being chosen stays in use.
  if (accounts.chosenDefault() === undefined && existing.length <= 1) accounts.setDefault(existing[0] ?? name);
  return {name, isDefault: accounts.chosenDefault() === name, isUpdate};
}

async function confirmReplacing(name: string, prompt: Prompt | undefined): Promise<void> {
  if (await prompt?.confirm(`Another account is called “${name}”. Replace it?`)) return;
  throw new PlainFailure(
    `Another account is called “${name}”: choose a different name with --name. Nothing was saved.`,
  );
}

function isSame(accounts: NamedAccounts, name: string, {site, email}: Zuliprc, {home}: CliIo): boolean {
  if (!accounts.has(name)) return false;
  const other = orConfigError(() => readZuliprc(accounts.file(name), home));
  if (other instanceof ConfigError) return false;
  return other.site === site && other.email.toLowerCase() === email.toLowerCase();
}

/** Returns an unused name: `acme-corp` for the organization Acme Corp., otherwise one from the host. */
function freeName(accounts: NamedAccounts, organization: string | undefined, site: string): string {
  const labels = [organizationLabel(organization ?? ''), hostLabel(site)];
  // “demo” selects the demo organization.
  const start = labels.find((label) => isAccountName(label) && label !== demoName) ?? 'account';
  for (let number = 1; ; number++) {
    const name = number === 1 ? start : `${start}-${number}`;
    if (!accounts.has(name)) return name;
  }
}

const maxLabelLength = 40;

function organizationLabel(name: string): string {
  const words = name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.join('-').slice(0, maxLabelLength);
}

/** Returns `acme` for acme.example.com, `localhost-9991` for a port of this machine. */
function hostLabel(site: string): string {
  const {hostname, port} = new URL(site);
  const label = /^[\d.]+$|:/.test(hostname) ? hostname.replaceAll(/[^\w.]+/g, '') : (hostname.split('.')[0] ?? '');
  return `${label}${port === '' ? '' : `-${port}`}`;
}
