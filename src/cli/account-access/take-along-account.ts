import type {CliIo} from '#cli/io.ts';
import type {Account} from '#config/load-account.ts';
import {accountDatabase} from '#config/paths.ts';
import type {AccountIdentity} from '#state/account-store.ts';
import {identityOf, takeAlong, type UnsentData, unsentDataOf} from '#storage/remove-store.ts';
import {countedNoun} from '#wording/counted-noun.ts';

/** A server that does not answer within this time is asked again at the next start. */
const timeoutMs = 5000;

/**
 * Adds the unsent work of the same account at a former address of its server to the account's database, and returns lines
 * that say so. `others` are databases of accounts with the same e-mail address. The server is asked who the account is only
 * if the account is new at this address.
 */
export async function takeAlongMovedAccount(
  account: Account,
  others: readonly string[],
  io: CliIo,
): Promise<readonly string[]> {
  const identified = others.flatMap((other) => {
    const identity = identityOf(other);
    return identity === undefined ? [] : [{other, identity}];
  });
  if (identified.length === 0) return [];
  const path = accountDatabase(io.paths, account.id);
  const own = identityOf(path) ?? (await identityOnServer(account, io));
  if (own === undefined) return [];
  return identified.flatMap(({other, identity: {url, organization, userId}}) => {
    if (organization !== own.organization || userId !== own.userId) return [];
    const unsent = unsentDataOf(other);
    if (unsent === 'damaged') return [`The data of this account at its former address ${url} is damaged: ${other}`];
    if (unsent === 'inUse' || !takeAlong(other, path)) {
      return [`Parley is open with this account at ${url}. Quit it: its unsent work is taken along at the next start.`];
    }
    return [`Taken along from ${url}: ${unsentText(unsent) || 'nothing unsent'}.`];
  });
}

/** Returns what only this machine has, such as `2 unsent messages and 1 unsent change`; an empty text if it has nothing. */
export function unsentText({messages, drafts, changes}: UnsentData): string {
  const parts = [
    messages > 0 ? countedNoun(messages, 'unsent message') : '',
    drafts > 0 ? `${countedNoun(drafts, 'draft')} that the server does not have` : '',
    changes > 0 ? countedNoun(changes, 'unsent change') : '',
  ];
  return parts.filter((part) => part !== '').join(' and ');
}

/** Returns undefined if the server does not answer, refuses the login, or is too old to have an identity. */
async function identityOnServer(account: Account, io: CliIo): Promise<AccountIdentity | undefined> {
  const [{makeApi}, {connect}] = await Promise.all([import('#api/api.ts'), import('./connect.ts')]);
  const connection = await connect(account, io);
  try {
    const api = makeApi(connection);
    const signal = AbortSignal.timeout(timeoutMs);
    const [{user_id: userId}, {queue_id, realm_uuid: organization}] = await Promise.all([
      api.getOwnUser({}, {signal}),
      api.register({event_types: [], fetch_event_types: ['realm']}, {signal}),
    ]);
    if (queue_id !== null) await api.deleteQueue({queue_id}, {signal}).catch(() => {});
    return organization === undefined ? undefined : {url: account.site, organization, userId};
  } catch {
    return undefined;
  } finally {
    await connection.close();
  }
}
