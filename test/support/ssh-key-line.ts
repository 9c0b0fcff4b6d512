import {generateKeyPairSync} from 'node:crypto';

/** Returns a new public key as a line of OpenSSH. */
export function newKeyLine(comment = 'meg@laptop'): string {
  const {x = ''} = generateKeyPairSync('ed25519').publicKey.export({format: 'jwk'});
  const head = Buffer.from('0000000b7373682d6564323535313900000020', 'hex');
  return `ssh-ed25519 ${Buffer.concat([head, Buffer.from(x, 'base64url')]).toString('base64')} ${comment}`;
}
