import {pickFields} from '#state/model/pick-fields.ts';
import {type CamelKeys, camelKeys} from '#std/camel.ts';
import type {WireBot} from '#wire/objects/user.ts';
import {botDefaults} from '#wire/objects/user.ts';

/** A bot without its secrets and without the fields of its user record. */
export type Bot = CamelKeys<
  Pick<WireBot, 'user_id' | 'default_sending_stream' | 'default_events_register_stream' | 'default_all_public_streams'>
>;

const {avatar_url: _picture, ...botFields} = botDefaults;
const botNames = ['user_id', ...Object.keys(botFields)];

export function botFromWire(wire: WireBot): Bot {
  return camelKeys(pickFields(wire, botNames)) as unknown as Bot;
}
