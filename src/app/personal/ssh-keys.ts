import {RecordKind} from '#app/forms/record-kind.ts';
import type {RecordRow} from '#app/forms/record-list.ts';
import {sshKeys} from '#state/fetches/queries.ts';
import {composed} from '#std/composed-text.ts';
import {printableLine} from '#std/printable.ts';
import {publicKeyLineProblem} from '#std/public-key-line.ts';
import {formField} from '#ui/core/form.ts';
import {type Frame, fetched} from '#ui/core/frame.ts';
import type {ResultOf} from '#wire/endpoint.ts';
import type {Endpoints} from '#wire/endpoints.ts';
import {momentText} from '#wording/moment-text.ts';

type SshKey = ResultOf<Endpoints['getSshKeys']>['ssh_keys'][number];

function keyRow(frame: Frame, {id, type, fingerprint, comment, added_at, last_used_at}: SshKey): RecordRow {
  const added = momentText(frame, added_at * 1000);
  const used = last_used_at === null ? 'not used yet' : `used ${momentText(frame, last_used_at * 1000)}`;
  return {
    key: String(id),
    label: nameOf({comment, fingerprint}),
    detail: composed`${type} · ${fingerprint}`,
    right: used,
    rightRole: 'text',
    help: composed`${fingerprint}, ${type}, added ${added}, ${used}`,
  };
}

/** Returns the comment of a key, which its owner chose; keys without one have their fingerprint. */
function nameOf({comment, fingerprint}: Pick<SshKey, 'comment' | 'fingerprint'>): string {
  return printableLine(comment).trim() || fingerprint;
}

/** The keys with which the user logs in over SSH. No event reports their changes. */
export const ownSshKeys = new RecordKind<SshKey, {key: string}, number>({
  noun: 'SSH key',
  list: {
    id: 'SSH keys',
    title: 'SSH keys',
    placeholder: 'find a key',
    empty: 'No keys: Ctrl-A adds one, for “ssh -p PORT SERVER” without a password',
    columns: 96,
    helpLines: 2,
    addLabel: 'Add a key…',
    reads: [sshKeys()],
    rows: (frame, [keys = []]) => keys.map((key) => keyRow(frame, key)),
  },
  keyOf: Number,
  find: (frame, id) => fetched(frame, sshKeys()).data?.find((key) => key.id === id),
  form: {
    newTitle: 'Add an SSH key',
    createLabel: 'Add the key',
    columns: 84,
    values: () => ({key: ''}),
    fields: () => [
      formField('text', 'key', 'Public key', {
        isMultiline: true,
        isRequired: true,
        help: 'Paste the line of a .pub file, such as ~/.ssh/id_ed25519.pub. “ssh-keygen -t ed25519” makes a new key.',
        validate: publicKeyLineProblem,
      }),
    ],
  },
  create: async ({api}, {key}) => (await api.addSshKey({key: key.trim()})).ssh_key.id,
  created: () => ({
    done: 'Added the SSH key',
    undone: 'Removed the SSH key',
    notUndone: 'The SSH key was not removed',
  }),
  removal: {
    hint: 'removes',
    remove: ({api}, id) => api.removeSshKey({key_id: id}),
    confirm: (key) => ({
      title: composed`Remove the key ${nameOf(key)}?`,
      yes: 'Remove the key',
      detail: 'its connections end; to undo this, add it again',
    }),
    texts: (key) => ({
      done: composed`Removed the key ${nameOf(key)}`,
      failed: composed`The key ${nameOf(key)} was not removed`,
    }),
  },
});

/** Returns why the server has no SSH keys of people. */
export function sshKeyProblem({account}: Pick<Frame, 'account'>): string | undefined {
  const isParley = account.server.version?.includes('+parley') === true;
  return isParley ? undefined : 'Only Parley’s own server can be used over SSH';
}
