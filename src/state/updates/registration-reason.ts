import type {ServerEvent} from '#wire/events.ts';

/**
 * Returns why only a new registration has all that these events changed; undefined for most events. The bots and default
 * channels that a user sees depend on their role, and policies of topics are left out while a channel is archived.
 */
export function registrationReason(events: readonly ServerEvent[], selfId: number): string | undefined {
  for (const event of events) {
    if (event.type === 'realm_user' && event.op === 'update') {
      const {user_id, role} = event.person;
      if (user_id === selfId && role !== undefined) return 'the role of the user changed';
    } else if (event.type === 'stream' && event.op === 'update') {
      if (event.property === 'is_archived' && event.value === false) return 'a channel was unarchived';
    }
  }
  return undefined;
}
