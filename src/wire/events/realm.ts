import {realmFields} from '#wire/objects/realm.ts';
import {type FieldPatch, propertyPatch} from '#wire/property-patch.ts';
import {type Infer, int, object, s} from '#wire/schema.ts';
import {eventFieldsWithOp} from './event-fields.ts';

export const realmUpdate = object({
  ...eventFieldsWithOp('realm', 'update'),
  property: s.string(),
  value: s.unknown(),
});
export const realmUpdateDict = object(
  {...eventFieldsWithOp('realm', 'update_dict'), data: s.record(s.string(), s.unknown())},
  {property: s.string()},
);
/** The organization was deactivated; the client must log out. */
export const realmDeactivated = object(eventFieldsWithOp('realm', 'deactivated'), {realm_id: int});

export type RealmUpdate = Infer<typeof realmUpdate>;
export type RealmUpdateDict = Infer<typeof realmUpdateDict>;
export type RealmEvent = RealmUpdate | RealmUpdateDict | Infer<typeof realmDeactivated>;

/** Returns the changes as a checked patch of the snapshot's `realm_*` keys, without unknown properties. */
export function realmPatch(event: RealmUpdate | RealmUpdateDict): FieldPatch<typeof realmFields> {
  const changes = event.op === 'update' ? {[event.property]: event.value} : event.data;
  const patch: FieldPatch<typeof realmFields> = {};
  for (const [property, value] of Object.entries(changes)) {
    Object.assign(patch, propertyPatch(realmFields, `realm_${property}`, value));
  }
  return patch;
}
