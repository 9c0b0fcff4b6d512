import {createHash, createPublicKey, type JsonWebKey, type KeyObject, verify} from 'node:crypto';
import {badRequest} from '#server/errors.ts';
import {publicKeyLineProblem} from '#std/public-key-line.ts';

/** A public key in OpenSSH's format. */
interface PublicKey {
  readonly type: string;
  /** As the protocol sends it. */
  readonly blob: Buffer;
  readonly comment: string;
  /** As ssh-keygen prints it. */
  readonly fingerprint: string;
}

const minRsaBits = 3072;
/** A key of 16,384 bits has 2 KiB. */
const maxBlobBytes = 4096;
const maxTextLength = 10_000;

const curves = {
  'ecdsa-sha2-nistp256': {curve: 'nistp256', crv: 'P-256', bytes: 32, hash: 'sha256'},
  'ecdsa-sha2-nistp384': {curve: 'nistp384', crv: 'P-384', bytes: 48, hash: 'sha384'},
  'ecdsa-sha2-nistp521': {curve: 'nistp521', crv: 'P-521', bytes: 66, hash: 'sha512'},
} as const;
const securityKeyCurve = {'sk-ecdsa-sha2-nistp256@openssh.com': curves['ecdsa-sha2-nistp256']} as const;
const allCurves: Readonly<Record<string, (typeof curves)[keyof typeof curves]>> = {...curves, ...securityKeyCurve};

const keyTypes: ReadonlySet<string> = new Set([
  'ssh-ed25519',
  'sk-ssh-ed25519@openssh.com',
  'ssh-rsa',
  ...Object.keys(allCurves),
]);

/** Reads a line of a .pub file. Throws with a sentence if it is none, or one that is not accepted. */
export function parsePublicKey(text: string): PublicKey {
  const problem = text.length > maxTextLength ? 'A public key is one line.' : publicKeyLineProblem(text);
  if (problem !== undefined) throw badRequest(problem);
  const [type = '', encoded = '', ...words] = text.trim().split(/\s+/);
  if (type === 'ssh-dss') throw badRequest('DSA keys are not safe. Make a key with “ssh-keygen -t ed25519”.');
  if (!keyTypes.has(type)) {
    throw badRequest('This is not a public key of OpenSSH, such as the line in ~/.ssh/id_ed25519.pub.');
  }
  const blob = Buffer.from(encoded, 'base64');
  if (blob.toString('base64').replace(/=+$/, '') !== encoded.replace(/=+$/, '')) throw damaged();
  checkedKey(type, blob);
  return {type, blob, comment: words.join(' ').slice(0, 100), fingerprint: fingerprintOf(blob)};
}

export function fingerprintOf(blob: Buffer): string {
  return `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`;
}

/** A proof that a client has the private key. `signature` is that of ssh2: DER for ECDSA, without the names of algorithms. */
interface Proof {
  readonly type: string;
  readonly blob: Buffer;
  /** Of RSA; undefined for SHA-1. */
  readonly hash: string | undefined;
  readonly signature: Buffer;
  readonly signed: Buffer;
}

/** Returns whether a signature was made with the private key. Never throws. */
export function isSignedBy({type, blob, hash, signature, signed}: Proof): boolean {
  try {
    const {key, application} = checkedKey(type, blob);
    if (type === 'ssh-rsa') return (hash === 'sha256' || hash === 'sha512') && verify(hash, signed, key, signature);
    const curve = allCurves[type];
    if (application === undefined) return verify(curve?.hash ?? null, signed, key, signature);
    return isSignedBySecurityKey({key, application, isEcdsa: curve !== undefined, signature, signed});
  } catch {
    return false;
  }
}

/** Flags and counter, which follow the signature. */
const suffixBytes = 5;
/** That a person touched the key. */
const touched = 1;

interface SecurityKeyProof {
  readonly key: KeyObject;
  readonly application: Buffer;
  readonly isEcdsa: boolean;
  readonly signature: Buffer;
  readonly signed: Buffer;
}

function isSignedBySecurityKey({key, application, isEcdsa, signature, signed}: SecurityKeyProof): boolean {
  const suffix = signature.subarray(-suffixBytes);
  const own = signature.subarray(0, -suffixBytes);
  if (suffix.length < suffixBytes || ((suffix[0] ?? 0) & touched) === 0) return false;
  const data = Buffer.concat([sha256(application), suffix, sha256(signed)]);
  if (!isEcdsa) return verify(null, data, key, own);
  const reader = new FieldReader(own);
  const [r, s] = [reader.number(), reader.number()];
  reader.end();
  const fixed = Buffer.concat([padded(r, 32), padded(s, 32)]);
  return verify('sha256', data, {key, dsaEncoding: 'ieee-p1363'}, fixed);
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}

/** Reads a key. Throws if it is not of this type, is weak or has anything else in it. */
function checkedKey(type: string, blob: Buffer): {readonly key: KeyObject; readonly application: Buffer | undefined} {
  if (blob.length > maxBlobBytes) throw damaged();
  const reader = new FieldReader(blob);
  if (reader.field().toString('latin1') !== type) throw damaged();
  const jwk = jwkOf(type, reader);
  const application = type.startsWith('sk-') ? reader.field() : undefined;
  reader.end();
  try {
    return {key: createPublicKey({key: jwk, format: 'jwk'}), application};
  } catch {
    throw damaged();
  }
}

function jwkOf(type: string, reader: FieldReader): JsonWebKey {
  if (type === 'ssh-rsa') {
    const [e, n] = [reader.number(), reader.number()];
    const bits = n.length * 8 - Math.clz32(n[0] ?? 0) + 24;
    if (bits < minRsaBits) {
      throw badRequest(
        `RSA keys need ${minRsaBits} bits; this one has ${bits}. “ssh-keygen -t ed25519” makes a new key.`,
      );
    }
    return {kty: 'RSA', n: base64url(n), e: base64url(e)};
  }
  const curve = allCurves[type];
  if (curve === undefined) {
    const x = reader.field();
    if (x.length !== 32) throw damaged();
    return {kty: 'OKP', crv: 'Ed25519', x: base64url(x)};
  }
  const name = reader.field().toString('latin1');
  const point = reader.field();
  if (name !== curve.curve || point.length !== 1 + 2 * curve.bytes || point[0] !== 4) throw damaged();
  const [x, y] = [point.subarray(1, 1 + curve.bytes), point.subarray(1 + curve.bytes)];
  return {kty: 'EC', crv: curve.crv, x: base64url(x), y: base64url(y)};
}

function base64url(bytes: Buffer): string {
  return bytes.toString('base64url');
}

function padded(bytes: Buffer, length: number): Buffer {
  if (bytes.length > length) throw damaged();
  return Buffer.concat([Buffer.alloc(length - bytes.length), bytes]);
}

function damaged(): Error {
  return badRequest('The public key is incomplete or damaged. Copy the whole line of the .pub file.');
}

/** Reads the fields of a key or signature, each with its length before it. Throws at the end of the bytes. */
class FieldReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  field(): Buffer {
    const start = this.#at + 4;
    if (start > this.#bytes.length) throw damaged();
    const end = start + this.#bytes.readUInt32BE(this.#at);
    if (end > this.#bytes.length) throw damaged();
    this.#at = end;
    return this.#bytes.subarray(start, end);
  }

  /** Returns a positive number without leading zeros. */
  number(): Buffer {
    const bytes = this.field();
    if (bytes.length === 0 || (bytes[0] ?? 0) > 0x7f) throw damaged();
    const first = bytes.findIndex((byte) => byte !== 0);
    return first < 0 ? Buffer.alloc(1) : bytes.subarray(first);
  }

  end(): void {
    if (this.#at !== this.#bytes.length) throw damaged();
  }
}
