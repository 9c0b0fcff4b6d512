import type {ApiContext} from '#cli/account-access/with-state.ts';
import {UsageError} from '#cli/io.ts';
import {readFileText, readStdin} from '#cli/messages/local-files.ts';
import {sshKeyJson, sshKeyRow} from '#cli/ssh-key-text.ts';
import {cutTableText} from '#cli/table-lines.ts';
import {publicKeyLineProblem} from '#std/public-key-line.ts';
import {apiVerb} from './account-verb.ts';
import type {VerbResult, VerbRunner} from './verb-table.ts';

const maxKeyBytes = 64 * 1024;

/** Lists, adds and removes the keys with which the person logs in over SSH. */
export const sshKeys: VerbRunner<'ssh-keys'> = apiVerb(async (context) => {
  const [action = 'list', word, ...others] = context.words;
  if (others.length === 0) {
    if (action === 'list' && word === undefined) return list(context);
    if (action === 'add') return add(context, word);
    if (action === 'remove' && word !== undefined) return remove(context, word);
  }
  throw new UsageError('Use “parley ssh-keys” with add [FILE] or remove FINGERPRINT, or without either to list them.');
});

async function list({api, io}: ApiContext): Promise<VerbResult> {
  const {ssh_keys: keys} = await api.getSshKeys();
  return {json: keys.map(sshKeyJson), text: keys.length === 0 ? 'No keys.' : cutTableText(io, keys.map(sshKeyRow))};
}

async function add({api, io}: ApiContext, file: string | undefined): Promise<VerbResult> {
  const key = file === undefined || file === '-' ? await readStdin(io, maxKeyBytes) : await readFileText(file, io);
  const problem = publicKeyLineProblem(key);
  if (problem !== undefined) throw new UsageError(problem);
  const {ssh_key: added} = await api.addSshKey({key});
  return {json: sshKeyJson(added), text: `Added ${added.fingerprint}.`};
}

async function remove({api}: ApiContext, fingerprint: string): Promise<VerbResult> {
  const {ssh_keys: keys} = await api.getSshKeys();
  const found = keys.find((key) => key.fingerprint === fingerprint);
  if (found === undefined)
    throw new UsageError('None of your keys has this fingerprint. “parley ssh-keys” lists them.');
  await api.removeSshKey({key_id: found.id});
  return {json: sshKeyJson(found), text: `Removed ${found.fingerprint}. Its connections end.`};
}
