import {withFields, withValue} from '#state/model/immutable-updates.ts';
import {pickFields} from '#state/model/pick-fields.ts';
import {type CamelKeys, camelKeys} from '#std/camel.ts';
import {SortedMap} from '#std/sorted-map.ts';
import {botDefaults, type WireBot} from '#wire/objects/user.ts';
import {savedMap} from './saved-json.ts';
import {fromSnapshot, type Slice} from './slice.ts';

/** A bot without its secrets and without the fields of its user record. */
type Bot = CamelKeys<
  Pick<WireBot, 'user_id' | 'default_sending_stream' | 'default_events_register_stream' | 'default_all_public_streams'>
>;

const {avatar_url: _picture, ...botFields} = botDefaults;
const botNames = ['user_id', ...Object.keys(botFields)];

function botFromWire(wire: WireBot): Bot {
  return camelKeys(pickFields(wire, botNames)) as unknown as Bot;
}

export const bots: Slice<SortedMap<number, Bot>, 'realm_bot'> = {
  initial: SortedMap.empty(),
  registered: fromSnapshot(['realm_bots'], ({realm_bots = []}) =>
    SortedMap.by(realm_bots.map(botFromWire), ({userId}) => userId),
  ),
  saved: savedMap('number'),
  appliers: {
    realm_bot: (before, event) => {
      const id = event.bot.user_id;
      switch (event.op) {
        case 'add':
          return withValue(before, id, botFromWire(event.bot));
        case 'update':
          return withFields(before, id, botFromWire(event.bot));
        case 'delete':
        case 'remove':
          return before.without(id);
      }
    },
  },
};
