import {settingChoices} from '#server/accounts/user-setting-values.ts';
import {userSettings} from '#server/accounts/user-settings.ts';
import {alertWords} from '#server/actions/users/alert-words.ts';
import {mutedUsers} from '#server/actions/users/muted-users.ts';
import type {ReadContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import type {StatusRow} from '#server/db/user-status.ts';
import type {QueueOptions} from '#server/event-queues/event-queue.ts';
import {accessibleUserIds} from '#server/permissions/user-access.ts';
import {groupViews} from '#server/views/group.ts';
import {ownAccountView} from '#server/views/own-user.ts';
import {presenceTable, serverTimestamp} from '#server/views/presence.ts';
import {encodedUserLists} from '#server/views/user-list-json.ts';
import {statusView} from '#server/views/user-status.ts';
import {systemBotViews, userViews} from '#server/views/users.ts';
import type {WireUserStatus} from '#wire/objects/user-status.ts';
import type {SnapshotBlocks, SnapshotRequest} from './snapshot-block.ts';

/** Users, groups, presence, and the settings and lists of the own user. */
export const usersBlocks: SnapshotBlocks = {
  realm_user: users,
  user_settings: ({viewer}) => ({
    user_settings: {...userSettings(viewer), ...settingChoices},
  }),
  user_status: userStatuses,
  muted_users: ({act, viewer}) => ({muted_users: mutedUsers(act.db, viewer.id)}),
  alert_words: ({act, viewer}) => ({alert_words: alertWords(act.db, viewer.id)}),
  realm_user_groups: ({act, options}) => ({
    realm_user_groups: groupViews(act, {
      includeDeactivated: options.capabilities.include_deactivated_groups === true,
    }),
  }),
  presence({act, viewer, options, presenceHistoryDays}) {
    const {presences, lastUpdateId} = presenceTable(act, viewer, {
      modern: options.slimPresence,
      historyDays: presenceHistoryDays,
    });
    return {
      presences,
      presence_last_update_id: lastUpdateId,
      server_timestamp: serverTimestamp(act),
    };
  },
};

function users({act, viewer, options}: SnapshotRequest): Record<string, unknown> {
  const {clientGravatar} = options;
  const {active, inactive} = encodedUserLists(act, viewer, clientGravatar) ?? userLists(act, viewer, options);
  return {
    realm_users: active,
    realm_non_active_users: inactive,
    cross_realm_bots: systemBotViews(act, viewer, {clientGravatar}),
    ...ownAccountView(act, viewer),
  };
}

/** Returns the active and the inactive users with their profile data. */
export function userLists(act: ReadContext, viewer: UserRow, {clientGravatar, capabilities}: QueueOptions) {
  const placeholders = capabilities.user_list_incomplete !== true;
  const all = userViews(act, viewer, {clientGravatar, profileData: true, placeholders});
  return {active: all.filter((user) => user.is_active), inactive: all.filter((user) => !user.is_active)};
}

function userStatuses({act, viewer}: SnapshotRequest): Record<string, unknown> {
  const rows = act.db.all<StatusRow & Record<string, unknown>>(
    `SELECT * FROM user_status WHERE status_text <> '' OR emoji_name <> '' OR away = 1`,
  );
  const allowed = accessibleUserIds(act, viewer);
  const userStatus: Record<string, WireUserStatus> = {};
  for (const row of rows) {
    if (allowed === 'everyone' || allowed.has(row.user_id)) userStatus[row.user_id] = statusView(row);
  }
  return {user_status: userStatus};
}
