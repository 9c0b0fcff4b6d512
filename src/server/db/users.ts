import type {Database} from './database.ts';
import {fold, type UserRow} from './rows.ts';

export function findUser(db: Database, id: number): UserRow | undefined {
  return db.get<UserRow>('SELECT * FROM user WHERE id = ?', id);
}

export function findUserByEmail(db: Database, email: string): UserRow | undefined {
  return db.get<UserRow>('SELECT * FROM user WHERE email_key = ?', fold(email.trim()));
}

/** The address that works in the API whoever may see the real one. */
export function dummyEmail(userId: number, host: string): string {
  return `user${userId}@${host}`;
}

/** The id in a dummy address of this server, if it is one. */
export function idOfDummyEmail(email: string, host: string): number | undefined {
  const match = /^user(\d{1,15})@(.*)$/i.exec(email.trim());
  return match?.[2] !== undefined && fold(match[2]) === fold(host) ? Number(match[1]) : undefined;
}
