import {domain, emoji, emojiTable, linkifier, playground} from '#wire/objects/organization.ts';
import {realm, realmFields} from '#wire/objects/realm.ts';
import {versionFields} from '#wire/objects/server-settings.ts';
import {profileField, profileFieldTypeTable} from '#wire/objects/user.ts';
import {type FieldPatch, propertyPatch} from '#wire/property-patch.ts';
import {type Infer, int, object, s} from '#wire/schema.ts';
import {event, eventsByOp, ownAccountKeys, userKeys} from './event-schema.ts';

export const realmKeys = Object.keys(realm.entries) as readonly (keyof typeof realm.entries)[];
export const versionKeys = Object.keys(versionFields) as readonly (keyof typeof versionFields)[];

export const organizationEvents = {
  realm: eventsByOp('realm', {
    update: object({property: s.string(), value: s.unknown()}),
    update_dict: object({data: s.record(s.string(), s.unknown())}, {property: s.string()}),
    /** The organization was deactivated; the client must log out. */
    deactivated: object({}, {realm_id: int}),
  }),
  realm_emoji: eventsByOp('realm_emoji', {
    add: object({emoji}),
    update_one: object({emoji_id: s.string(), data: object({}, {deactivated: s.boolean(), name: s.string()})}),
    /** Contains the whole table. */
    update: object({realm_emoji: emojiTable}),
  }),
  realm_domains: eventsByOp('realm_domains', {
    add: object({realm_domain: domain}),
    change: object({realm_domain: domain}),
    remove: object({domain: s.string()}),
  }),
  /** Contains the whole list, in order of precedence. */
  realm_linkifiers: event('realm_linkifiers', {realm_linkifiers: s.array(linkifier)}),
  /** Contains the whole list. */
  realm_playgrounds: event('realm_playgrounds', {realm_playgrounds: s.array(playground)}),
  /** Contains the whole list. */
  custom_profile_fields: event('custom_profile_fields', {fields: s.array(profileField)}),
  /** Some invitation was sent, changed or revoked; clients fetch the list again. Sent to administrators and the inviter. */
  invites_changed: event('invites_changed', {}),
  /** The server was restarted; the client must register again if the feature level changed. */
  restart: event('restart', {}, {...versionFields, server_generation: int, immediate: s.boolean()}),
  /** Keeps the connection alive. Clients acknowledge it like any other event. */
  heartbeat: event('heartbeat', {}),
};

/** The parts of a registration's response about the same. */
export const organizationParts = {
  realm_domains: s.array(domain),
  realm_emoji: emojiTable,
  realm_linkifiers: s.array(linkifier),
  realm_filters: s.array(s.unknown()),
  realm_playgrounds: s.array(playground),
  custom_profile_fields: s.array(profileField),
  custom_profile_field_types: profileFieldTypeTable,
};

/** The keys of a registration's response that these events change, see `fetch-types.ts`. */
export const organizationEventKeys = {
  realm: [...realmKeys, ...ownAccountKeys],
  realm_emoji: ['realm_emoji'],
  realm_domains: ['realm_domains'],
  realm_linkifiers: ['realm_linkifiers', 'realm_filters'],
  realm_playgrounds: ['realm_playgrounds'],
  custom_profile_fields: ['custom_profile_fields', ...userKeys],
  invites_changed: [],
  restart: versionKeys,
  heartbeat: [],
} as const satisfies Record<keyof typeof organizationEvents, readonly string[]>;

/** Returns the changes as a checked patch of the snapshot's `realm_*` keys, without unknown properties. */
export function realmPatch(
  event: Infer<typeof organizationEvents.realm.update> | Infer<typeof organizationEvents.realm.update_dict>,
): FieldPatch<typeof realmFields> {
  const changes = event.op === 'update' ? {[event.property]: event.value} : event.data;
  const patch: FieldPatch<typeof realmFields> = {};
  for (const [property, value] of Object.entries(changes)) {
    Object.assign(patch, propertyPatch(realmFields, `realm_${property}`, value));
  }
  return patch;
}
