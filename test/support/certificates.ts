import {execFileSync, spawnSync} from 'node:child_process';
import {X509Certificate} from 'node:crypto';
import {once} from 'node:events';
import {join} from 'node:path';
import {connect} from 'node:tls';

export const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

/** Makes a certificate for this machine and its key, in place of those that are there. */
export function makeCertificate(folder: string, name: string) {
  const files = {cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem')};
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', files.key];
  const subject = ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=IP:127.0.0.1'];
  execFileSync('openssl', ['req', '-x509', ...newKey, ...subject, '-days', '2', '-out', files.cert], {stdio: 'pipe'});
  return files;
}

/** Returns the name in the certificate that a new connection gets. */
export async function servedName(port: number): Promise<string> {
  const socket = connect({port, host: '127.0.0.1', rejectUnauthorized: false});
  await once(socket, 'secureConnect');
  const {raw} = socket.getPeerCertificate();
  socket.destroy();
  return new X509Certificate(raw).subject;
}
