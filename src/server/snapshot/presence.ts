import {presenceTable, serverTimestamp} from '#server/views/presence.ts';
import type {Blocks} from './snapshot-block.ts';

export const presenceBlocks: Blocks = {
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
