import {settingChoices} from '#server/accounts/user-setting-values.ts';
import {userSettings} from '#server/accounts/user-settings.ts';
import {alertWords} from '#server/actions/users/alert-words.ts';
import {mutedUsers} from '#server/actions/users/muted-users.ts';
import type {StatusRow} from '#server/db/user-status.ts';
import {accessibleUserIds} from '#server/permissions/user-access.ts';
import {groupViews} from '#server/views/group.ts';
import {ownAccountView} from '#server/views/own-user.ts';
import {presenceTable, serverTimestamp} from '#server/views/presence.ts';
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
  const {clientGravatar, capabilities} = options;
  const all = userViews(act, viewer, {
    clientGravatar,
    profileData: true,
    placeholders: capabilities.user_list_incomplete !== true,
  });
  return {
    realm_users: all.filter((user) => user.is_active),
    realm_non_active_users: all.filter((user) => !user.is_active),
    cross_realm_bots: systemBotViews(act, viewer, {clientGravatar}),
    ...ownAccountView(act, viewer),
  };
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
