import type {ActionContext, ServerContext} from '#server/context.ts';
import {Role, SystemGroup} from '#server/permissions/permission-rules.ts';
import {fullMemberSince} from '#server/views/group.ts';

/** Runs a change of the waiting period and emits the users who became full members or stopped being full members. */
export function trackFullMembers(act: ActionContext, change: () => void): void {
  const before = fullMembers(act);
  change();
  const after = fullMembers(act);
  emit(act, 'remove_members', [...before.difference(after)]);
  emit(act, 'add_members', [...after.difference(before)]);
}

function fullMembers(act: ActionContext): Set<number> {
  const sql = 'SELECT id FROM user WHERE role = ? AND joined_at <= ? AND is_active = 1 AND is_system_bot = 0';
  return new Set(act.db.pluck(sql, Role.member, fullMemberSince(act)));
}

function emit(act: ActionContext, op: 'add_members' | 'remove_members', userIds: number[]): void {
  if (userIds.length === 0) return;
  const body = {op, group_id: SystemGroup.fullMembers, user_ids: userIds};
  act.emit({type: 'user_group', to: 'everyone', body});
}

/** Emits the members whose waiting period ended after `since`. Without a waiting period there are none. */
function emitNewFullMembers(act: ActionContext, since: number): void {
  const until = fullMemberSince(act);
  if (until >= act.now) return;
  const sql = `SELECT id FROM user
    WHERE role = ? AND is_active = 1 AND is_system_bot = 0 AND joined_at > ? AND joined_at <= ?`;
  emit(act, 'add_members', act.db.pluck(sql, Role.member, until - (act.now - since), until));
}

const periodMs = 3600_000;

/** Emits hourly events for members who became full members, which happens by the passing of time alone. */
export function startFullMemberWatcher(server: ServerContext): {stop(): void} {
  let since = Math.floor(server.clock.now() / 1000);
  let cancel = () => {};
  const schedule = () => {
    cancel = server.clock.after(periodMs, () => {
      server.runAction((act) => {
        emitNewFullMembers(act, since);
        since = act.now;
      });
      schedule();
    });
  };
  schedule();
  return {stop: () => cancel()};
}
