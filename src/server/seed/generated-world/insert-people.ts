import type {Database} from '#server/db/database.ts';
import {fold} from '#server/db/rows.ts';
import {Role} from '#server/permissions/system-groups.ts';
import type {Random} from '#std/random.ts';
import {randomPersonName} from './vocabulary.ts';
import type {WorldScale} from './world-scale.ts';

const daySeconds = 86_400;

/**
 * Inserts people and returns their ids: you first, then an owner, an administrator, a moderator, members and a guest.
 */
export function insertPeople(db: Database, random: Random, scale: WorldScale, now: number): number[] {
  const firstRoles = [Role.member, Role.owner, Role.admin, Role.moderator, Role.member, Role.member, Role.guest];
  const ids: number[] = [];
  for (let index = 0; index < scale.people; index++) {
    const fullName = index === 0 ? 'You Yourself' : randomPersonName(random);
    const email =
      index === 0 ? 'you@company.example' : `${fold(fullName).replaceAll(' ', '.')}.${index}@company.example`;
    const role = firstRoles[index] ?? (random.below(50) === 0 ? Role.guest : Role.member);
    ids.push(
      db.insert(
        `INSERT INTO user (delivery_email, email_key, full_name, name_key, role, joined_at) VALUES (?, ?, ?, ?, ?, ?)`,
        email,
        fold(email),
        fullName,
        fold(fullName),
        role,
        now - scale.days * daySeconds - random.below(300 * daySeconds),
      ),
    );
  }
  return ids;
}
