import {pickFields} from '#state/model/pick-fields.ts';
import {type CamelKeys, camelKeys} from '#std/camel.ts';
import {modernRealm, realmFields, type WireRealm} from '#wire/objects/realm.ts';

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
export function realmFromWire(fields: WireRealm, level: number): Partial<Realm> {
  return camelKeys(pickFields(modernRealm(fields, level), realmNames, 'realm_'.length)) as Partial<Realm>;
}
