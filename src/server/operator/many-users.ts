import {addInvitedMember} from '#server/actions/groups/groups.ts';
import {invitePeople} from '#server/actions/organization/invites.ts';
import {regenerateApiKey} from '#server/actions/users/api-keys.ts';
import {createUser} from '#server/actions/users/create-user.ts';
import {deactivateOther, deactivateUser, reactivateUser} from '#server/actions/users/deactivate-user.ts';
import {updateUser} from '#server/actions/users/update-user.ts';
import type {ActionContext, ServerContext} from '#server/context.ts';
import {findGroupByName} from '#server/db/groups.ts';
import {fold, type UserRow} from '#server/db/rows.ts';
import {ApiError, badRequest, required} from '#server/errors.ts';
import {recordAdministration} from '#server/organization/administration-log.ts';
import {type Infer, int, object, s} from '#wire/schema.ts';
import {auditedChanges, auditedValues} from './audited-values.ts';

const strings = s.array(s.string());

/** A person to create or invite. */
export const importedUser = object({
  name: s.string(),
  email: s.string(),
  role: int,
  channels: strings,
  groups: strings,
});

type ImportedUser = Infer<typeof importedUser>;

interface Outcome<T> {
  readonly done: readonly T[];
  /** Why nothing was changed: a sentence for each person that cannot be changed. */
  readonly problems: readonly {readonly email: string; readonly problem: string}[];
}

class NotCommitted extends Error {}

/**
 * Runs a change for each item in one action, and undoes all of it if one is refused or it is only a trial. A trial really makes the
 * changes, so that it finds every problem, and nobody gets an event.
 */
function forEach<I extends {readonly email: string}, T>(
  server: ServerContext,
  items: readonly I[],
  isTrial: boolean,
  change: (act: ActionContext, item: I) => T,
): Outcome<T> {
  const done: T[] = [];
  const problems: {email: string; problem: string}[] = [];
  try {
    server.runAction((act) => {
      for (const item of items) {
        try {
          done.push(change(act, item));
        } catch (error) {
          if (!(error instanceof ApiError)) throw error;
          problems.push({email: item.email, problem: error.message});
        }
      }
      if (isTrial || problems.length > 0) throw new NotCommitted();
    });
  } catch (error) {
    if (!(error instanceof NotCommitted)) throw error;
  }
  return {done, problems};
}

/** Creates accounts, or invites by mail, with channels and groups. */
export function importUsers(
  server: ServerContext,
  {
    users,
    invites,
    isTrial,
    actor,
  }: {
    readonly users: readonly ImportedUser[];
    readonly invites: boolean;
    readonly isTrial: boolean;
    readonly actor: UserRow;
  },
) {
  return forEach(server, users, isTrial, (act, user) => {
    const channelIds = user.channels.map((name) => channelId(act, name));
    const groups = user.groups.map((name) => requireGroup(act, name));
    if (invites) {
      invite(
        act,
        user,
        channelIds,
        groups.map(({id}) => id),
      );
      recordAdministration(act.db, {
        userId: null,
        at: act.now,
        action: 'operator.inviteUser',
        target: {},
        fields: [],
        changes: {},
      });
      return {email: user.email, id: null};
    }
    const {email, name: fullName, role} = user;
    const created = createUser(act, {email, fullName, role, channelIds, includeDefaultChannels: true, actor});
    for (const group of groups) addInvitedMember(act, group, created);
    record(act, 'importUsers', created.id, {});
    return {email, id: created.id};
  });
}

/** Invites in the name of the first owner, as the notification bot is nobody whom a newcomer knows. */
function invite(act: ActionContext, {email, role}: ImportedUser, streamIds: number[], groupIds: number[]): void {
  const sql = 'SELECT * FROM user WHERE role = 100 AND is_active = 1 AND is_bot = 0 ORDER BY id LIMIT 1';
  const owner = required(act.db.get<UserRow>(sql), 'The organization has no owner.');
  const outcome = invitePeople({...act, actor: owner, client: 'parley serve'}, email, {
    invite_as: role,
    stream_ids: streamIds,
    group_ids: groupIds,
    include_realm_default_subscriptions: true,
    invite_expires_in_minutes: undefined,
    welcome_message_custom_text: undefined,
  });
  if (outcome.kind !== 'sent') throw badRequest(outcome.refusals[0]?.[1] ?? 'Not invited.');
}

function channelId({db}: ActionContext, name: string): number {
  const id = db.value('SELECT id FROM channel WHERE name_key = ? AND is_archived = 0', fold(name));
  return required(id, `There is no channel “${name}”.`);
}

function requireGroup({db}: ActionContext, name: string) {
  const group = findGroupByName(db, name);
  if (group?.deactivated === 0 && group.is_system === 0) return group;
  throw badRequest(`There is no group “${name}”.`);
}

export const userChanges = {
  deactivate: (act: ActionContext, actor: UserRow, target: UserRow) => {
    if (target.is_bot === 0) deactivateOther(act, actor, target);
    else if (target.is_active === 1) deactivateUser(act, target);
  },
  reactivate: (act: ActionContext, actor: UserRow, target: UserRow) => reactivateUser(act, actor, target),
  role: (act: ActionContext, actor: UserRow, target: UserRow, role: number) =>
    void updateUser(act, actor, target, {role}),
  key: (act: ActionContext, _actor: UserRow, target: UserRow) => regenerateApiKey(act, target),
};

/** The commands that make the same change to one account, by which the administration log names it. */
const commandNames = {
  deactivate: 'deactivateUser',
  reactivate: 'reactivateUser',
  role: 'setUserRole',
  key: 'newUserKey',
} as const;

/** Makes the same change to several accounts. */
export function changeUsers(
  server: ServerContext,
  {
    targets,
    change,
    role,
    isTrial,
    actor,
  }: {
    readonly targets: (act: ActionContext, email: string) => UserRow;
    readonly change: {readonly name: keyof typeof userChanges; readonly emails: readonly string[]};
    readonly role: number;
    readonly isTrial: boolean;
    readonly actor: UserRow;
  },
) {
  const items = [...new Set(change.emails)].map((email) => ({email}));
  return forEach(server, items, isTrial, (act, {email}) => {
    const target = targets(act, email);
    const before = auditedValues(act, {user_id: target.id});
    const key = userChanges[change.name](act, actor, target, role);
    record(act, commandNames[change.name], target.id, before);
    return {email: target.delivery_email, key: key ?? null};
  });
}

function record(act: ActionContext, command: string, userId: number, before: Readonly<Record<string, unknown>>): void {
  const target = {user_id: userId};
  const changes = Object.keys(before).length === 0 ? {} : auditedChanges(before, auditedValues(act, target));
  recordAdministration(act.db, {userId: null, at: act.now, action: `operator.${command}`, target, fields: [], changes});
}
