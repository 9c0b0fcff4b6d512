import type {SnapshotBlocks, SnapshotRequest} from '#server/snapshot/snapshot-block.ts';
import {channelsBlocks} from './snapshot/channels.ts';
import {groupsBlocks} from './snapshot/groups.ts';
import {messagesBlocks} from './snapshot/messages.ts';
import {organizationBlocks} from './snapshot/organization.ts';
import {personalBlocks} from './snapshot/personal.ts';
import {presenceBlocks} from './snapshot/presence.ts';
import {usersBlocks} from './snapshot/users.ts';

/** One entry per fetch type of a registration. */
const blocks: SnapshotBlocks = {
  ...messagesBlocks,
  ...channelsBlocks,
  ...usersBlocks,
  ...groupsBlocks,
  ...organizationBlocks,
  ...personalBlocks,
  ...presenceBlocks,
};

export function snapshot(request: SnapshotRequest): Record<string, unknown> {
  const state: Record<string, unknown> = {};
  for (const [fetchType, block] of Object.entries(blocks)) {
    if (request.fetchTypes === undefined || request.fetchTypes.has(fetchType))
      Object.assign(state, block(request));
  }
  return state;
}
