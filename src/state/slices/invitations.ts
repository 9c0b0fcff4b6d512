import type {Slice} from './slice.ts';

/** The event that last changed the invitations, which are fetched on demand; 0 before the first. */
export const lastInviteChange: Slice<number, 'invites_changed'> = {
  initial: 0,
  registered: 'initial',
  saved: 'no',
  appliers: {
    invites_changed: (_before, {id}) => id,
  },
};
