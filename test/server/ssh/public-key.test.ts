import {createHash, generateKeyPairSync, type KeyObject, sign} from 'node:crypto';
import {expect, test} from 'vitest';
import {isSignedBy, parsePublicKey} from '#server/ssh/public-key.ts';

function field(value: string | Buffer): Buffer {
  const bytes = Buffer.from(value);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

function bytesOf(key: KeyObject, name: 'x' | 'y' | 'n' | 'e'): Buffer {
  return Buffer.from(String(key.export({format: 'jwk'})[name]), 'base64url');
}

function positive(bytes: Buffer): Buffer {
  return (bytes[0] ?? 0) > 0x7f ? Buffer.concat([Buffer.alloc(1), bytes]) : bytes;
}

const application = 'ssh:';
const pairs = {
  ed25519: generateKeyPairSync('ed25519'),
  p256: generateKeyPairSync('ec', {namedCurve: 'P-256'}),
  p521: generateKeyPairSync('ec', {namedCurve: 'P-521'}),
  rsa: generateKeyPairSync('rsa', {modulusLength: 3072}),
  shortRsa: generateKeyPairSync('rsa', {modulusLength: 2048}),
};

function point(key: KeyObject): Buffer {
  return Buffer.concat([Buffer.from([4]), bytesOf(key, 'x'), bytesOf(key, 'y')]);
}

const blobs: Readonly<Record<string, Buffer>> = {
  'ssh-ed25519': Buffer.concat([field('ssh-ed25519'), field(bytesOf(pairs.ed25519.publicKey, 'x'))]),
  'ecdsa-sha2-nistp256': Buffer.concat([
    ...[field('ecdsa-sha2-nistp256'), field('nistp256'), field(point(pairs.p256.publicKey))],
  ]),
  'ecdsa-sha2-nistp521': Buffer.concat([
    ...[field('ecdsa-sha2-nistp521'), field('nistp521'), field(point(pairs.p521.publicKey))],
  ]),
  'ssh-rsa': Buffer.concat([
    field('ssh-rsa'),
    field(positive(bytesOf(pairs.rsa.publicKey, 'e'))),
    field(positive(bytesOf(pairs.rsa.publicKey, 'n'))),
  ]),
  'sk-ssh-ed25519@openssh.com': Buffer.concat([
    ...[field('sk-ssh-ed25519@openssh.com'), field(bytesOf(pairs.ed25519.publicKey, 'x')), field(application)],
  ]),
  'sk-ecdsa-sha2-nistp256@openssh.com': Buffer.concat([
    field('sk-ecdsa-sha2-nistp256@openssh.com'),
    ...[field('nistp256'), field(point(pairs.p256.publicKey)), field(application)],
  ]),
};

const lineOf = (type: string, blob = blobs[type] ?? Buffer.alloc(0)) => `${type} ${blob.toString('base64')} meg@laptop`;

test.each(Object.keys(blobs))('public keys: %s is read with its comment and its fingerprint', (type) => {
  const key = parsePublicKey(`${lineOf(type)}\n`);
  expect(key).toMatchObject({type, comment: 'meg@laptop'});
  const digest = createHash('sha256')
    .update(blobs[type] ?? '')
    .digest('base64');
  expect(key.fingerprint).toBe(`SHA256:${digest.replace(/=+$/, '')}`);
});

const shortRsa = Buffer.concat([
  field('ssh-rsa'),
  field(positive(bytesOf(pairs.shortRsa.publicKey, 'e'))),
  field(positive(bytesOf(pairs.shortRsa.publicKey, 'n'))),
]);
const ed25519 = blobs['ssh-ed25519'] ?? Buffer.alloc(0);

test.each([
  ['ssh-dss AAAAB3NzaC1kc3M=', 'DSA keys are not safe'],
  [lineOf('ssh-rsa', shortRsa), 'RSA keys need 3072 bits; this one has 2048'],
  ['-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNz\n-----END OPENSSH PRIVATE KEY-----\n', 'This is a private key'],
  [`command="rm -rf /" ${lineOf('ssh-ed25519')}`, 'not a public key of OpenSSH'],
  [`${lineOf('ssh-ed25519')}\n${lineOf('ssh-ed25519')}`, 'one line'],
  [lineOf('ssh-ed25519', ed25519.subarray(0, -1)), 'incomplete or damaged'],
  [lineOf('ssh-ed25519', Buffer.concat([ed25519, Buffer.from('x')])), 'incomplete or damaged'],
  [lineOf('ecdsa-sha2-nistp256', ed25519), 'incomplete or damaged'],
  ['ssh-ed25519 not*base64', 'incomplete or damaged'],
  ['', 'not a public key of OpenSSH'],
])('public keys: %j is refused with a sentence', (text, sentence) => {
  expect(() => parsePublicKey(text)).toThrow(sentence);
});

const signed = Buffer.from('the session and the request');

/** A signature as a security key makes it, with what ssh2 leaves of it. */
function securityKeySignature(key: KeyObject, isEcdsa: boolean, flags = 1): Buffer {
  const suffix = Buffer.from([flags, 0, 0, 0, 7]);
  const digest = (text: string | Buffer) => createHash('sha256').update(text).digest();
  const data = Buffer.concat([digest(application), suffix, digest(signed)]);
  if (!isEcdsa) return Buffer.concat([sign(null, data, key), suffix]);
  const raw = sign('sha256', data, {key, dsaEncoding: 'ieee-p1363'});
  const [r, s] = [raw.subarray(0, 32), raw.subarray(32)];
  return Buffer.concat([field(positive(r)), field(positive(s)), suffix]);
}

const signatures: Readonly<Record<string, {signature: Buffer; hash?: string}>> = {
  'ssh-ed25519': {signature: sign(null, signed, pairs.ed25519.privateKey)},
  'ecdsa-sha2-nistp256': {signature: sign('sha256', signed, pairs.p256.privateKey)},
  'ecdsa-sha2-nistp521': {signature: sign('sha512', signed, pairs.p521.privateKey)},
  'ssh-rsa': {signature: sign('sha512', signed, pairs.rsa.privateKey), hash: 'sha512'},
  'sk-ssh-ed25519@openssh.com': {signature: securityKeySignature(pairs.ed25519.privateKey, false)},
  'sk-ecdsa-sha2-nistp256@openssh.com': {signature: securityKeySignature(pairs.p256.privateKey, true)},
};

test.each(Object.entries(signatures))(
  'public keys: only the signature of a %s proves who has it',
  (type, {signature, hash}) => {
    const blob = blobs[type] ?? Buffer.alloc(0);
    expect(isSignedBy({type, blob, hash, signature, signed})).toBe(true);
    expect(isSignedBy({type, blob, hash, signature, signed: Buffer.from('another request')})).toBe(false);
    expect(isSignedBy({type, blob, hash, signature: Buffer.alloc(0), signed})).toBe(false);
    const changed = Buffer.from(signature);
    changed[10] = (changed[10] ?? 0) ^ 1;
    expect(isSignedBy({type, blob, hash, signature: changed, signed})).toBe(false);
    expect(isSignedBy({type: 'ssh-dss', blob, hash, signature, signed})).toBe(false);
  },
);

test('public keys: an RSA signature with SHA-1, and a security key that nobody touched, prove nothing', () => {
  const rsa = {type: 'ssh-rsa', blob: blobs['ssh-rsa'] ?? Buffer.alloc(0), signed};
  const sha1 = sign('sha1', signed, pairs.rsa.privateKey);
  expect(isSignedBy({...rsa, hash: undefined, signature: sha1})).toBe(false);
  expect(isSignedBy({...rsa, hash: 'sha1', signature: sha1})).toBe(false);
  const type = 'sk-ssh-ed25519@openssh.com';
  const untouched = securityKeySignature(pairs.ed25519.privateKey, false, 0);
  expect(isSignedBy({type, blob: blobs[type] ?? Buffer.alloc(0), hash: undefined, signature: untouched, signed})).toBe(
    false,
  );
});
