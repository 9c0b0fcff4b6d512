import type {OutboxEntry} from '#state/model/outbox.ts';
import type {Slice} from './slice.ts';

/** The messages that the server has not confirmed, which the account store saves. */
export const outbox: Slice<readonly OutboxEntry[], 'outbox_changed'> = {
  initial: [],
  registered: 'kept',
  saved: 'no',
  appliers: {
    outbox_changed: (_before, event) => event.outbox,
  },
};
