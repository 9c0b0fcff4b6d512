import {expect, test} from 'vitest';
import * as eg from '#test/support/state-builders.ts';
import {defaultGroupSetting} from '#ui/forms/permission-fields.ts';

test.each(['stream_creator_or_nobody', 'channel_creator', 'role:nobody'])(
  'new channel: its creator administers it when the server’s default is %s',
  (name) => {
    const rule = {
      require_system_group: false,
      allow_internet_group: false,
      allow_nobody_group: true,
      allow_everyone_group: false,
      default_group_name: name,
      default_for_system_groups: null,
      allowed_system_groups: [],
    };
    const serverSupportedPermissionSettings = {realm: {}, group: {}, stream: {can_administer_channel_group: rule}};
    const state = eg.state({server: {...eg.server(), serverSupportedPermissionSettings}});
    expect(defaultGroupSetting(state, {scope: 'stream', name: 'can_administer_channel_group'})).toEqual({
      direct_members: [eg.selfId],
      direct_subgroups: [],
    });
  },
);
