import type {ActionContext, ServerContext} from '#server/context.ts';
import type {Database} from '#server/db/database.ts';
import type {UserRow} from '#server/db/rows.ts';
import {badRequest, check} from '#server/errors.ts';
import {type Route, route} from '#server/route.ts';
import {parsePublicKey} from '#server/ssh/public-key.ts';
import {endpoints} from '#wire/endpoints.ts';
import {sendAccountNotice} from './account-notice.ts';

/** A key with which a person logs in over SSH. */
interface SshKeyRow {
  readonly id: number;
  readonly user_id: number;
  readonly type: string;
  readonly fingerprint: string;
  readonly comment: string;
  readonly added_at: number;
  readonly last_used_at: number | null;
}

const maxKeys = 50;

export const sshKeyRoutes: readonly Route[] = [
  route(endpoints.getSshKeys, 'person', ({db, actor}) => ({ssh_keys: sshKeysOf(db, actor.id).map(keyObject)})),
  route(endpoints.addSshKey, 'person', (call, {key}) => ({ssh_key: keyObject(addSshKey(call, call.actor, key))})),
  route(endpoints.removeSshKey, 'person', (call, {key_id: id}) => {
    removeSshKey(call, call.actor, ({id: own}) => own === id);
  }),
];

function keyObject({user_id: _user, ...key}: SshKeyRow) {
  return key;
}

export function sshKeysOf(db: Database, userId: number): SshKeyRow[] {
  return db.all<SshKeyRow>('SELECT * FROM ssh_key WHERE user_id = ? ORDER BY id', userId);
}

/** Returns the key with a fingerprint, whosever it is. */
export function findSshKey(db: Database, fingerprint: string): SshKeyRow | undefined {
  return db.get<SshKeyRow>('SELECT * FROM ssh_key WHERE fingerprint = ?', fingerprint);
}

/** Adds a key in OpenSSH's format to an account. A key belongs to one account: it is all that says who logs in. */
export function addSshKey(act: ActionContext, person: UserRow, text: string, actor: UserRow = person): SshKeyRow {
  const {type, fingerprint, comment} = parsePublicKey(text);
  check(person.is_bot === 0, 'Bots have no SSH keys.');
  const known = findSshKey(act.db, fingerprint);
  if (known !== undefined) {
    throw badRequest(
      known.user_id === person.id ? 'This key is there already.' : 'This key belongs to another account.',
    );
  }
  check(sshKeysOf(act.db, person.id).length < maxKeys, `An account has at most ${maxKeys} SSH keys.`);
  act.db.insertRow('ssh_key', {user_id: person.id, type, fingerprint, comment, added_at: act.now});
  sendAccountNotice(act, actor, person, [{name: 'SSH key', before: '', after: `\`${fingerprint}\``}]);
  const row = findSshKey(act.db, fingerprint);
  if (row === undefined) throw new Error('The row was inserted');
  return row;
}

/** Removes a key of an account, and ends its connections. */
export function removeSshKey(
  act: ActionContext,
  person: UserRow,
  isMeant: (key: SshKeyRow) => boolean,
  actor: UserRow = person,
): SshKeyRow {
  const found = sshKeysOf(act.db, person.id).find(isMeant);
  if (found === undefined) throw badRequest('There is no such SSH key.');
  act.db.run('DELETE FROM ssh_key WHERE id = ?', found.id);
  sendAccountNotice(act, actor, person, [{name: 'SSH key', before: `\`${found.fingerprint}\``, after: ''}]);
  act.afterCommit(() => act.server.ssh?.endKey(found.fingerprint));
  return found;
}

export function noteSshKeyUse({db}: Pick<ServerContext, 'db'>, id: number, at: number): void {
  db.run('UPDATE ssh_key SET last_used_at = ? WHERE id = ?', at, id);
}
