import {readFileSync, statSync} from 'node:fs';
import type {Server} from 'node:https';
import type {Clock} from '#std/clock.ts';

/** The files of the certificate, with those between it and its authority, and of its key, in the PEM format. */
export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

const checkEveryMs = 10_000;

export function readCertificate({cert, key}: CertificateFiles): {cert: Buffer; key: Buffer} {
  return {cert: readFileSync(cert), key: readFileSync(key)};
}

/** Uses new files when they replace the old ones: certificates are renewed every few months. Connections stay open. */
export function followCertificate(
  server: Server,
  files: CertificateFiles,
  clock: Clock,
  log: (line: string, error?: unknown) => void,
): {stop(): void} {
  let used = versionOf(files);
  let cancel = clock.after(checkEveryMs, check);
  function check(): void {
    const found = versionOf(files);
    if (found !== undefined && found !== used) {
      used = found;
      try {
        server.setSecureContext(readCertificate(files));
        log('The new certificate is used.');
      } catch (error) {
        // Such as one of two files that is replaced before the other.
        log('The new certificate cannot be used; the old one stays', error);
      }
    }
    cancel = clock.after(checkEveryMs, check);
  }
  return {stop: () => cancel()};
}

/** Returns undefined while one of the files is missing. */
function versionOf({cert, key}: CertificateFiles): string | undefined {
  const stats = [cert, key].map((path) => statSync(path, {throwIfNoEntry: false}));
  if (stats.includes(undefined)) return undefined;
  return stats.map((file) => `${file?.ino} ${file?.mtimeMs} ${file?.size}`).join(' ');
}
