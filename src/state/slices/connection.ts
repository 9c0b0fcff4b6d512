import type {ConnectionStatus} from '#state/model/connection.ts';
import type {Slice} from './slice.ts';

export const connection: Slice<ConnectionStatus, 'connection_changed'> = {
  initial: {phase: 'starting', savedAt: undefined},
  registered: 'kept',
  saved: 'no',
  appliers: {
    connection_changed: (_before, event) => event.connection,
  },
};
