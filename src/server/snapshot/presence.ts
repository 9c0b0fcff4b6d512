import {presenceTable, serverTimestamp} from '#server/views/presence.ts';
import type {SnapshotBlocks} from './snapshot-block.ts';

export const presenceBlocks: SnapshotBlocks = {
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
