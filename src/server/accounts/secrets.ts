import {createHmac, randomBytes, timingSafeEqual} from 'node:crypto';
import {LruCache} from '#std/lru-cache.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

const keyLength = 32;

/** The bytes of a secret. */
export const secretLength = 32;

/**
 * Derives API keys and signatures from one server secret. A key depends on the secret, the user and a counter and is
 * never stored: a leaked database contains no credentials, and incrementing the counter replaces the key.
 */
export class Secrets {
  #secret: Buffer;
  /** Caches derived keys: every request checks one, and deriving it would be a tenth of the request's work. */
  readonly #keys = new LruCache<string, string>(10_000);

  constructor(secret: Buffer) {
    this.#secret = secret;
  }

  static generate(): Secrets {
    return new Secrets(randomBytes(secretLength));
  }

  /** Uses another secret from now on. */
  replace(secret: Buffer): void {
    this.#secret = secret;
    this.#keys.clear();
  }

  apiKey(user: {id: number; key_generation: number}): string {
    const name = `${user.id}:${user.key_generation}`;
    const key = this.#keys.get(name) ?? this.#deriveKey(user);
    this.#keys.set(name, key);
    return key;
  }

  #deriveKey(user: {id: number; key_generation: number}): string {
    const digest = this.#derive(`api-key:${user.id}:${user.key_generation}`);
    // Rejection sampling would be uniform to the bit; modulo 62 of 512 random bits loses well under one bit a
    // character, and 32 characters leave more than 180.
    let key = '';
    for (const byte of digest.subarray(0, keyLength)) key += alphabet[byte % alphabet.length] ?? 'A';
    return key;
  }

  /** Compares in constant time: for existing and unknown users, wherever the first difference is. */
  isApiKey(user: {id: number; key_generation: number} | undefined, candidate: string): boolean {
    const expected = Buffer.from(this.apiKey(user ?? {id: 0, key_generation: -1}), 'latin1');
    // Cut or padded to the right length, which is not secret, so that the comparison never depends on it.
    const actual = Buffer.from(candidate.slice(0, keyLength).padEnd(keyLength, '\0'), 'latin1');
    const same = timingSafeEqual(expected, actual) && candidate.length === keyLength;
    return same && user !== undefined;
  }

  /** Returns a token that only this server can create, for links that grant access by themselves. */
  sign(purpose: string): string {
    return this.#derive(`sign:${purpose}`).toString('base64url').slice(0, 43);
  }

  isSigned(purpose: string, token: string): boolean {
    const expected = Buffer.from(this.sign(purpose));
    const actual = Buffer.from(token);
    return expected.length === actual.length && timingSafeEqual(expected, actual);
  }

  #derive(label: string): Buffer {
    return createHmac('sha512', this.#secret).update(label).digest();
  }
}
