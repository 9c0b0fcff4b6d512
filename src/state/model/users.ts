import {PackedMap} from '#std/packed-map.ts';
import type {RecordFormat} from '#std/packed-records.ts';
import type {WireUser} from '#wire/objects/user.ts';
import {type ProfileValue, type User, userFromWire} from './user.ts';

/** What users are found by without reading all of them; all are folded. */
export type UserLabel = 'name' | 'email' | 'deliveryEmail';

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
const noProfile: User['profile'] = {};

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
