import {type AccountFlags, resolveAccountFlags} from '#cli/account-access/lazy-account.ts';
import {type CliIo, printNotice} from '#cli/io.ts';
import {connectToControl} from './control-connection.ts';
import {controlFolder, runningPrograms} from './status-text.ts';

/** A program that does not answer in this time is stopped or busy: the server is asked instead. */
const patienceMs = 300;

/**
 * Calls a method of a running Parley that has the account open and is online. Returns undefined when there is none, when it
 * is an older one without the method, and when it has no answer.
 */
export async function askRunning(flags: AccountFlags, io: CliIo, method: string): Promise<unknown> {
  const folder = controlFolder(io.paths);
  const programs = runningPrograms(folder);
  const resolved = programs.length === 0 ? undefined : resolveAccountFlags(flags, io);
  if (resolved === undefined) return undefined;
  for (const line of resolved.notices) printNotice(io, line);
  const {id, name} = resolved.account;
  const isOpenIn = ({accounts}: (typeof programs)[number]) =>
    accounts.some(({account, connection}) => account === name && connection === 'online');
  const program = programs.find(isOpenIn);
  if (program === undefined) return undefined;
  try {
    const connection = await connectToControl(folder, program.pid, io.clock, patienceMs);
    const answer = await connection.call(method, {account: name, account_id: id}).finally(connection.close);
    return answer ?? undefined;
  } catch {
    return undefined;
  }
}
