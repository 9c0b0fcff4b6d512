import {readFileText, readStdin} from '#cli/messages/local-files.ts';
import {sshKeyJson, sshKeyRow} from '#cli/ssh-key-text.ts';
import {cutTableText} from '#cli/table-lines.ts';
import type {UserAction} from './operator-verbs.ts';

/** The actions of “parley serve user ssh-key”. */
export const sshKeyActions: Readonly<Record<string, UserAction>> = {
  'ssh-key list': {
    words: ['EMAIL'],
    async run({operator, io}, email = '') {
      const keys = await operator.run('listSshKeys', {email});
      return {json: keys.map(sshKeyJson), text: cutTableText(io, keys.map(sshKeyRow))};
    },
  },
  'ssh-key add': {
    words: ['EMAIL', 'FILE'],
    async run({operator, io}, email = '', file = '') {
      const key = file === '-' ? await readStdin(io, 64 * 1024) : await readFileText(file, io);
      const added = await operator.run('addSshKey', {email, key});
      return {json: sshKeyJson(added), text: `${email} can log in over SSH with ${added.fingerprint}.`};
    },
  },
  'ssh-key remove': {
    words: ['EMAIL', 'FINGERPRINT'],
    async run({operator}, email = '', fingerprint = '') {
      const removed = await operator.run('removeSshKey', {email, fingerprint});
      return {json: sshKeyJson(removed), text: `${email} can no longer log in with ${removed.fingerprint}.`};
    },
  },
};
