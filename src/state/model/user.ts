import {camelKeys} from '#std/camel.ts';
import type {PersonUpdate} from '#wire/events/people.ts';
import {userRole, type WireUser} from '#wire/objects/user.ts';

export interface ProfileValue {
  readonly value: string;
  readonly renderedValue: string | undefined;
}

export interface User {
  readonly id: number;
  readonly fullName: string;
  readonly email: string;
  /** The real email address; undefined when the user may not see it. */
  readonly deliveryEmail: string | undefined;
  readonly role: number;
  readonly isActive: boolean;
  readonly isBot: boolean;
  readonly isSystemBot: boolean;
  readonly botType: number | undefined;
  readonly botOwnerId: number | undefined;
  readonly timezone: string;
  readonly dateJoined: string | undefined;
  readonly isImportedStub: boolean;
  readonly isDeleted: boolean;
  /** By field id. */
  readonly profile: Readonly<Record<string, ProfileValue>>;
}

const noProfile: User['profile'] = {};

/** Users count as active by default; a snapshot lists deactivated ones separately. */
export function userFromWire(wire: WireUser): User {
  return {
    id: wire.user_id,
    fullName: wire.full_name,
    email: wire.email,
    deliveryEmail: wire.delivery_email ?? undefined,
    role: userRole(wire),
    isActive: wire.is_active ?? true,
    isBot: wire.is_bot ?? false,
    isSystemBot: wire.is_system_bot ?? false,
    botType: wire.bot_type ?? undefined,
    botOwnerId: wire.bot_owner_id ?? undefined,
    timezone: wire.timezone ?? '',
    dateJoined: wire.date_joined,
    isImportedStub: wire.is_imported_stub ?? false,
    isDeleted: wire.is_deleted ?? false,
    profile: profileFromWire(wire.profile_data),
  };
}

function profileFromWire(data: WireUser['profile_data']): User['profile'] {
  const fields = Object.entries(data ?? {});
  if (fields.length === 0) return noProfile;
  return Object.fromEntries(
    fields.map(([id, {value, rendered_value}]) => [id, {value, renderedValue: rendered_value}]),
  );
}

/** Returns the fields that the change contains. */
export function userFields(change: PersonUpdate, known: User): Partial<User> {
  const {full_name, role, is_active, timezone, date_joined, is_imported_stub} = change;
  const plain = {full_name, role, is_active, timezone, date_joined, is_imported_stub};
  const email = change.new_email ?? change.email;
  return {
    ...camelKeys(Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined))),
    ...(email !== undefined && {email}),
    ...(change.delivery_email !== undefined && {deliveryEmail: change.delivery_email ?? undefined}),
    ...(change.bot_owner_id !== undefined && {botOwnerId: change.bot_owner_id ?? undefined}),
    // Bots have no profile, but the server sends the values that they set.
    ...(change.custom_profile_field !== undefined &&
      !known.isBot && {
        profile: withProfileValue(known.profile, change.custom_profile_field),
      }),
  };
}

function withProfileValue(
  profile: User['profile'],
  {id, value, rendered_value}: NonNullable<PersonUpdate['custom_profile_field']>,
): User['profile'] {
  const {[id]: _before, ...others} = profile;
  return value === null ? others : {...others, [id]: {value, renderedValue: rendered_value}};
}
