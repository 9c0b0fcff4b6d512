import {withFields, withSlices, withValue} from '#state/immutable-updates.ts';
import {botFromWire} from '#state/model/organization.ts';
import type {AccountState} from '#state/state.ts';
import type {RealmBotEvent} from '#wire/events/realm-bot.ts';

export function applyRealmBot(state: AccountState, event: RealmBotEvent): AccountState {
  return withSlices(state, {bots: botsAfter(state.bots, event)});
}

function botsAfter(bots: AccountState['bots'], event: RealmBotEvent): AccountState['bots'] {
  const id = event.bot.user_id;
  switch (event.op) {
    case 'add':
      return withValue(bots, id, botFromWire(event.bot));
    case 'update':
      return withFields(bots, id, botFromWire(event.bot));
    case 'delete':
    case 'remove':
      return bots.without(id);
  }
}
