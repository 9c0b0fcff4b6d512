import {keepIfEqual} from '#state/model/immutable-updates.ts';
import {pickFields} from '#state/model/pick-fields.ts';
import {type CamelKeys, camelKeys} from '#std/camel.ts';
import {realmKeys, realmPatch} from '#wire/events/organization.ts';
import {modernRealm, realmDefaults, realmFields, type WireRealm} from '#wire/objects/realm.ts';
import {savedObject} from './saved-json.ts';
import {fromSnapshot, type Slice} from './slice.ts';

/**
 * The organization's settings, without the prefix: `realm_name` is `name`. Values of older names are under
 * their current names.
 */
export type Realm = CamelKeys<{
  [K in keyof WireRealm as K extends 'realm_rendered_description'
    ? never
    : K extends `realm_${infer Name}`
      ? Name
      : never]: WireRealm[K];
}>;

const {realm_rendered_description: _html, ...realmSettings} = realmFields;
const realmNames = Object.keys(realmSettings);

/** Converts the whole block of settings or a patch of it. */
function realmFromWire(fields: WireRealm, level: number): Partial<Realm> {
  return camelKeys(pickFields(modernRealm(fields, level), realmNames, 'realm_'.length)) as Partial<Realm>;
}

const initial: Realm = {emptyTopicDisplayName: realmDefaults.realm_empty_topic_display_name};

export const realm: Slice<Realm, 'realm'> = {
  initial,
  registered: fromSnapshot(realmKeys, (snapshot, {level}) => ({...initial, ...realmFromWire(snapshot, level)})),
  saved: savedObject({emptyTopicDisplayName: 'string'}),
  appliers: {
    // Deactivation does not change the state: the update machine handles it.
    realm: (before, event, {server}) =>
      event.op === 'deactivated'
        ? before
        : keepIfEqual(before, {...before, ...realmFromWire(realmPatch(event), server.level)}),
  },
};
