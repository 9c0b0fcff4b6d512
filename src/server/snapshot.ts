import type {SnapshotBlocks, SnapshotRequest} from '#server/snapshot/snapshot-block.ts';
import {channelsBlocks} from './snapshot/channels.ts';
import {messagesBlocks} from './snapshot/messages.ts';
import {organizationBlocks} from './snapshot/organization.ts';
import {personalBlocks} from './snapshot/personal.ts';
import {usersBlocks} from './snapshot/users.ts';

/** The function that makes each fetch type's part of a registration's response. */
const blocks: SnapshotBlocks = {
  ...messagesBlocks,
  ...channelsBlocks,
  ...usersBlocks,
  ...organizationBlocks,
  ...personalBlocks,
};

/** Returns the initial state that `POST /register` answers with, limited to the requested fetch types. */
export function snapshot(request: SnapshotRequest): Record<string, unknown> {
  const state: Record<string, unknown> = {};
  for (const [fetchType, block] of Object.entries(blocks)) {
    if (request.fetchTypes === undefined || request.fetchTypes.has(fetchType)) Object.assign(state, block(request));
  }
  return state;
}
