import {groupViews} from '#server/views/group.ts';
import type {SnapshotBlocks} from './snapshot-block.ts';

export const groupsBlocks: SnapshotBlocks = {
  realm_user_groups: ({act, options}) => ({
    realm_user_groups: groupViews(act, {
      includeDeactivated: options.capabilities.include_deactivated_groups === true,
    }),
  }),
};
