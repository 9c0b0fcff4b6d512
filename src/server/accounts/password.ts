import {randomBytes, type ScryptOptions, scrypt, timingSafeEqual} from 'node:crypto';
import {promisify} from 'node:util';
import type {ServerContext} from '#server/context.ts';
import {fold, type UserRow} from '#server/db/rows.ts';
import {findUser} from '#server/db/users.ts';
import {badRequest, rateLimitHit} from '#server/errors.ts';

const scryptAsync = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** The parameter N of scrypt, for 16 MiB and some 50 ms of CPU time. Tests use a lower one. */
export const defaultPasswordCost = 16_384;

/** Returns `scrypt$salt$hash$cost`, salt and hash in base64. */
export async function hashPassword(password: string, cost: number): Promise<string> {
  const salt = randomBytes(16);
  const hash = await scryptAsync(password, salt, 32, {cost});
  return `scrypt$${salt.toString('base64')}$${hash.toString('base64')}$${cost}`;
}

/** Hashes for an unknown user too, at this cost, so that the response time does not reveal which users exist. */
export async function isPassword(
  stored: string | null | undefined,
  candidate: string,
  unknownUserCost: number,
): Promise<boolean> {
  const [, salt = 'AAAA', hash = '', cost = defaultPasswordCost] = stored?.split('$') ?? [];
  const expected = Buffer.from(hash, 'base64');
  const options = {cost: stored == null ? unknownUserCost : Number(cost)};
  const actual = await scryptAsync(candidate, Buffer.from(salt, 'base64'), 32, options);
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

export const passwordMinLength = 8;

export const passwordMaxLength = 100;

/** Returns why nobody may have this password; undefined if it is good enough. */
export function passwordProblem(password: string): string | undefined {
  // As Zulip's servers say it.
  if (password === '') return 'The password is too weak.';
  if (password.length < passwordMinLength)
    return `The password is too short. Use at least ${passwordMinLength} characters.`;
  if (password.length > passwordMaxLength)
    return `The password is too long. Use at most ${passwordMaxLength} characters.`;
  if (new Set(password).size < 4) return 'The password is too weak. Use more different characters.';
  return isCommonPassword(password) ? 'The password is too common: others guess it first. Choose another.' : undefined;
}

/** Returns the hash of a new password; throws an error with the reason if the password is not good enough. */
export async function hashNewPassword(
  {passwordCost}: Pick<ServerContext, 'passwordCost'>,
  password: string,
): Promise<string> {
  const problem = passwordProblem(password);
  if (problem !== undefined) throw badRequest(problem);
  return hashPassword(password, passwordCost);
}

export const passwordLinkPath = '/set-password';

const validSeconds = 3 * 24 * 3600;

/** The password is part of what is signed, so that a link works once: until the password changes. */
function purposeOf({id, password_hash}: UserRow, expiresAt: number): string {
  return `set-password:${id}:${expiresAt}:${password_hash ?? ''}`;
}

/** Returns a link by which a user sets a password without the old one. */
export function passwordLink(server: ServerContext, user: UserRow): {url: string; expiresAt: number} {
  const expiresAt = Math.floor(server.clock.now() / 1000) + validSeconds;
  const token = `${user.id}.${expiresAt}.${server.secrets.sign(purposeOf(user, expiresAt))}`;
  return {url: `${server.url}${passwordLinkPath}/${token}`, expiresAt};
}

/** Returns the user of a link that is still valid. */
export function userOfPasswordLink(server: ServerContext, token: string): UserRow | undefined {
  const [, id, expires, signature = ''] = /^(\d{1,15})\.(\d{1,12})\.([\w-]+)$/.exec(token) ?? [];
  const user = id === undefined ? undefined : findUser(server.db, Number(id));
  if (user === undefined || user.is_active === 0 || user.is_bot === 1) return undefined;
  if (Number(expires) * 1000 < server.clock.now()) return undefined;
  return server.secrets.isSigned(purposeOf(user, Number(expires)), signature) ? user : undefined;
}

/** A wrong password, or one that is being checked. */
interface LoginAttempt {
  readonly at: number;
  readonly network: string;
}

/** The wrong passwords for one account from one network. Others keep being able to log in. */
const allowedFromNetwork = 5;
/** The wrong passwords for one account from everywhere, against guessing from many addresses. */
const allowedFromEverywhere = 100;

const windowMs = 1800_000;

/** Callers choose the names: above this number, those that were used least recently are removed. */
const maxNames = 10_000;

/** The failed logins by name, oldest first. They are only in memory, so a restart clears them. */
const attemptsByServer = new WeakMap<ServerContext, Map<string, readonly LoginAttempt[]>>();

function attemptsOf(server: ServerContext): Map<string, readonly LoginAttempt[]> {
  const attempts = attemptsByServer.get(server) ?? new Map<string, readonly LoginAttempt[]>();
  attemptsByServer.set(server, attempts);
  return attempts;
}

/**
 * Runs a password check unless the name has too many recent failures, whether or not there is such an account. The
 * attempt counts as failed until the check succeeds, so parallel guesses cannot exceed the limits. Success clears the
 * failures of its network.
 */
export async function limitLoginAttempts<T>(
  server: ServerContext,
  {username, network}: {readonly username: string; readonly network: string},
  check: () => Promise<T>,
): Promise<T> {
  const attempts = attemptsOf(server);
  const name = fold(username.trim());
  const now = server.clock.monotonic();
  const recent = (attempts.get(name) ?? []).filter(({at}) => now - at < windowMs);
  const here = recent.filter((attempt) => attempt.network === network);
  const oldest = here.at(-allowedFromNetwork) ?? recent.at(-allowedFromEverywhere);
  if (oldest !== undefined) throw rateLimitHit((oldest.at + windowMs - now) / 1000);
  // The most recently used names are the last.
  attempts.delete(name);
  attempts.set(name, [...recent, {at: now, network}]);
  for (const each of attempts.keys()) {
    if (attempts.size <= maxNames) break;
    attempts.delete(each);
  }
  const result = await check();
  const others = (attempts.get(name) ?? []).filter((attempt) => attempt.network !== network);
  if (others.length > 0) attempts.set(name, others);
  else attempts.delete(name);
  return result;
}

/** Forgets the failed logins of an account; returns whether there were any. */
export function forgetLoginAttempts(server: ServerContext, username: string): boolean {
  return attemptsOf(server).delete(fold(username.trim()));
}

/** The words that people choose most often; see `isCommonPassword`. Lower case. */
const words = `
1q2w3e4r 1q2w3e4r5t 1qaz2wsx 1qaz2wsx3edc a1b2c3d4 q1w2e3r4 q1w2e3r4t5
abcd abcdef abcdefg abcdefgh abcdefghij access admin administrator alexander amanda andrea andrew anthony asdf 
asdfgh asdfghjk asdfghjkl ashley azerty azertyuiop badboy barcelona baseball basketball batman benjamin buster
butterfly changeit changeme charlie chelsea chocolate christian computer cookie corvette cowboys daniel default dragon
dolphins elephant everton facebook football freedom friends ginger google hannah harley hello helloworld hockey hunter
iloveyou internet jennifer jessica jordan joshua justin killer letmein letmeinnow liverpool london login love lovely
maggie manchester marina maserati master matthew mercedes michael michelle midnight monkey mustang naruto
nicholas nothing operator owner parley pass passphrase passw passwd password pepper pokemon
princess qazwsx qazwsxedc qwer qwert qwerty qwertyui qwertyuiop ranger robert root samantha samsung secret
sesame shadow snoopy soccer spiderman starwars steelers sunshine superman superuser swordfish taylor temp
tempest temppassword test tester testing thomas thunder tigger trustno trustnoone user victoria warcraft
welcome welcometo whatever william winter wizard yankees zaq zaqxsw zulip zxcvbn zxcvbnm
`;

/** Rows of keys and of the alphabet: any part of one, in either direction, is easy to guess. */
const rows = [
  '01234567890',
  '1234567890qwertyuiop',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
];

/** Characters that stand for a letter, as in `p4ssw0rd`. */
const letterOf = new Map(
  ['@a', '4a', '3e', '1i', '!i', '0o', '$s', '5s', '7t'].map(([sign = '', letter = '']) => [sign, letter]),
);

/**
 * Returns whether a password is one of the most common ones: a word of the list, with other characters in the place of
 * letters or up to four digits and signs around it; a part of a row of keys; or one of these or a short text, repeated.
 */
function isCommonPassword(password: string): boolean {
  const text = password.toLowerCase();
  const [, unit = text] = /^(.+?)\1+$/s.exec(text) ?? [];
  if (unit.length <= 4) return true;
  const known = new Set(words.trim().split(/\s+/));
  const bare = unit.replace(/^[^\p{L}]{1,4}(?=\p{L})/u, '');
  const candidates = [unit, bare].flatMap((each) => [each, each.replace(/[^\p{L}]{1,4}$/u, '')]);
  const isKnown = (word: string) =>
    known.has(word) || known.has(word.replaceAll(/[@$!\d]/g, (sign) => letterOf.get(sign) ?? sign));
  return candidates.some(isKnown) || rows.some((row) => isPartOf(row, text));
}

/** Whether the text goes along a row, forwards or backwards, from any key and from the start again. */
function isPartOf(row: string, text: string): boolean {
  const forwards = row.repeat(Math.ceil(text.length / row.length) + 1);
  return forwards.includes(text) || [...forwards].reverse().join('').includes(text);
}
