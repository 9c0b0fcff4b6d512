import type {SnapshotBlocks, SnapshotRequest} from '#server/snapshot/snapshot-block.ts';
import {withoutPauses} from './run-action.ts';
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

type SnapshotParts = ReadonlyMap<string, Readonly<Record<string, unknown>>>;

/** Makes the parts of the initial state, by fetch type, that `POST /register` answers with. */
export function* snapshotParts(request: SnapshotRequest): Generator<void, SnapshotParts> {
  const parts = new Map<string, Readonly<Record<string, unknown>>>();
  for (const [fetchType, block] of Object.entries(blocks)) {
    if (request.fetchTypes !== undefined && !request.fetchTypes.has(fetchType)) continue;
    parts.set(fetchType, block(request));
    yield;
  }
  return parts;
}

export function snapshot(request: SnapshotRequest): Record<string, unknown> {
  return Object.assign({}, ...withoutPauses(snapshotParts(request)).values());
}

/** Returns the state of these parts, with the present values of the keys that changed since they were made. */
export function updatedSnapshot(
  parts: SnapshotParts,
  changedKeys: ReadonlySet<string>,
  request: SnapshotRequest,
): Record<string, unknown> {
  const state = Object.assign({}, ...parts.values());
  for (const [fetchType, part] of parts) {
    if (!Object.keys(part).some((key) => changedKeys.has(key))) continue;
    for (const [key, value] of Object.entries(blocks[fetchType]?.(request) ?? {})) {
      if (changedKeys.has(key)) state[key] = value;
    }
  }
  return state;
}
