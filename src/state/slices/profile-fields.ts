import {type CamelKeys, camelKeys} from '#std/camel.ts';
import type {WireProfileField} from '#wire/objects/user.ts';

export type ProfileField = CamelKeys<WireProfileField>;

export function profileFieldFromWire(wire: WireProfileField): ProfileField {
  return camelKeys(wire);
}
