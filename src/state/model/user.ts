import {type CamelKeys, camelKeys} from '#std/camel.ts';
import {PackedMap} from '#std/packed-map.ts';
import type {RecordFormat} from '#std/packed-records.ts';
import {SortedSet} from '#std/sorted-map.ts';
import type {PersonUpdate} from '#wire/events/people.ts';
import {groupName, type WireGroup} from '#wire/objects/group.ts';
import {userRole, type WireUser} from '#wire/objects/user.ts';
import type {Patch} from './patch.ts';

interface ProfileValue {
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

/** What users are found by without reading all of them; all are folded. */
type UserLabel = 'name' | 'email' | 'deliveryEmail';

/** All users of an organization by id. There may be 50,000. */
export type Users = PackedMap<User, UserLabel>;

/** The values are null where the field is undefined; trailing nulls are left out. */
type PackedUser = [
  fullName: string,
  email: string,
  flags: number,
  role: number,
  dateJoined: string | null,
  timezone: string | null,
  deliveryEmail: string | null,
  botType: number | null,
  botOwnerId: number | null,
  profile: (readonly [id: string, value: string, renderedValue?: string])[] | null,
];

/** `sameEmail`: the delivery address is the address, as for most users. */
const flags = {isActive: 1, isBot: 2, isSystemBot: 4, isImportedStub: 8, isDeleted: 16, sameEmail: 32} as const;

/** A change needs a new version of the saved format. */
const format: RecordFormat<User, UserLabel> = {
  pack(user) {
    const isSameEmail = user.deliveryEmail === user.email;
    const profile = Object.entries(user.profile);
    const fields: PackedUser = [
      user.fullName,
      user.email,
      (user.isActive ? flags.isActive : 0) |
        (user.isBot ? flags.isBot : 0) |
        (user.isSystemBot ? flags.isSystemBot : 0) |
        (user.isImportedStub ? flags.isImportedStub : 0) |
        (user.isDeleted ? flags.isDeleted : 0) |
        (isSameEmail ? flags.sameEmail : 0),
      user.role,
      user.dateJoined ?? null,
      user.timezone === '' ? null : user.timezone,
      isSameEmail ? null : (user.deliveryEmail ?? null),
      user.botType ?? null,
      user.botOwnerId ?? null,
      profile.length === 0 ? null : profile.map(packedProfileValue),
    ];
    while (fields.at(-1) === null) fields.pop();
    return fields;
  },
  unpack(id, json) {
    // Only `pack` makes these values.
    const [fullName, email, bits, role, dateJoined, timezone, deliveryEmail, botType, botOwnerId, profile] =
      json as PackedUser;
    return {
      id,
      fullName,
      email,
      deliveryEmail: (bits & flags.sameEmail) !== 0 ? email : (deliveryEmail ?? undefined),
      role,
      isActive: (bits & flags.isActive) !== 0,
      isBot: (bits & flags.isBot) !== 0,
      isSystemBot: (bits & flags.isSystemBot) !== 0,
      botType: botType ?? undefined,
      botOwnerId: botOwnerId ?? undefined,
      timezone: timezone ?? '',
      dateJoined: dateJoined ?? undefined,
      isImportedStub: (bits & flags.isImportedStub) !== 0,
      isDeleted: (bits & flags.isDeleted) !== 0,
      profile: profile === null || profile === undefined ? noProfile : unpackedProfile(profile),
    };
  },
  labels: {
    name: ({fullName}) => foldName(fullName),
    email: ({email}) => foldName(email),
    // Found by the other address too if they are the same.
    deliveryEmail: ({deliveryEmail, email}) =>
      deliveryEmail === undefined || deliveryEmail === email ? undefined : foldName(deliveryEmail),
  },
};

function packedProfileValue([id, {value, renderedValue}]: [string, ProfileValue]): NonNullable<PackedUser[9]>[number] {
  return renderedValue === undefined ? [id, value] : [id, value, renderedValue];
}

function unpackedProfile(profile: NonNullable<PackedUser[9]>): User['profile'] {
  return Object.fromEntries(profile.map(([id, value, renderedValue]) => [id, {value, renderedValue}]));
}

export function usersFrom(users: readonly User[]): Users {
  return PackedMap.by(
    format,
    users,
    ({id}) => id,
    (user) => user,
  );
}

/** Of records with the same id the last one wins. Returns the known users if nothing changed, as after most starts. */
export function usersFromWire(records: readonly WireUser[], known?: Users): Users {
  return PackedMap.by(format, records, ({user_id}) => user_id, userFromWire, known);
}

/** Returns the users whose `toBytes` were saved; undefined for another text. */
export function usersFromText(text: string): Users | undefined {
  return PackedMap.fromText(format, text);
}

export const noUsers: Users = usersFrom([]);

/**
 * Words of letters that have one form in Unicode, which are most names: ASCII, Latin, kana, ideographs and Hangul. Other
 * names take several times as long, and there may be 50,000.
 */
const letters = '[!-~\\u00a1-\\u02ff\\u3041-\\u3096\\u30a1-\\u30fa\\u4e00-\\u9fff\\uac00-\\ud7a3]+';
const simpleName = new RegExp(`^${letters}(?: ${letters})*$`);

/** Folds case and whitespace of a name or an address. */
export function foldName(text: string): string {
  if (simpleName.test(text)) return text.toLowerCase();
  return text.trim().replaceAll(/\s+/g, ' ').normalize('NFC').toLowerCase();
}

export interface Group extends Omit<CamelKeys<WireGroup>, 'members' | 'directSubgroupIds' | 'deactivated'> {
  /** Direct members only. */
  readonly members: SortedSet<number>;
  readonly subgroupIds: SortedSet<number>;
  readonly isDeactivated: boolean;
}

export function groupFromWire(wire: WireGroup): Group {
  const {members, direct_subgroup_ids, deactivated, ...rest} = wire;
  return {
    ...camelKeys(rest),
    name: groupName(wire),
    members: SortedSet.from(members),
    subgroupIds: SortedSet.from(direct_subgroup_ids ?? []),
    isDeactivated: deactivated ?? false,
  };
}

/** Returns a patch of a group; memberships change by other events. */
export function groupFields(wire: Patch<Omit<WireGroup, 'id' | 'members' | 'direct_subgroup_ids'>>): Patch<Group> {
  const {deactivated, ...rest} = wire;
  return {...camelKeys(rest), ...(deactivated !== undefined && {isDeactivated: deactivated})};
}
