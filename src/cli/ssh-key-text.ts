import {printableLine} from '#std/printable.ts';

interface SshKey {
  readonly type: string;
  readonly fingerprint: string;
  readonly comment: string;
  readonly added_at: number;
  readonly last_used_at: number | null;
}

export function sshKeyJson({type, fingerprint, comment, added_at: added, last_used_at: used}: SshKey) {
  return {fingerprint, type, comment, added: isoTime(added), last_used: used === null ? null : isoTime(used)};
}

/** Returns the columns of a list of keys. */
export function sshKeyRow({type, fingerprint, comment, last_used_at: used}: SshKey): string[] {
  return [fingerprint, type, printableLine(comment), used === null ? 'not used yet' : `last used ${isoTime(used)}`];
}

function isoTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
