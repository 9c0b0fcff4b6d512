import {type CliIo, exitCodes} from '#cli/io.ts';
import {cutTableText} from '#cli/table-lines.ts';
import type {VerbRunner} from '#cli/verbs/verb-table.ts';
import type {CommandResult} from '#server/operator/operator-commands.ts';
import {countedNoun} from '#wording/counted-noun.ts';
import {existingDataDirectory} from './data-directory.ts';
import {withOperator} from './operator.ts';

type Status = CommandResult<'status'>;

/** Shows whether the server of a data directory runs, its numbers, and what the operator has to do something about. */
export const serveStatus: VerbRunner<'serve status'> = async ({values}, io) => {
  const directory = existingDataDirectory(values.data, io);
  const status = await withOperator(directory, io, (operator) => operator.run('status', {}));
  const isWell = status.running && status.warnings.length === 0;
  return {
    json: status,
    text: statusText(io, status),
    exitCode: isWell ? exitCodes.ok : exitCodes.failed,
  };
};

function statusText(io: CliIo, status: Status): string {
  const {running, warnings} = status;
  const title = running
    ? `Parley ${status.version} serves ${status.organization} at ${status.url}`
    : `${status.organization} is not served now.`;
  const rows = Object.entries(statusRows(status)).map(([name, value]) => [name, value]);
  return [title, cutTableText(io, rows), ...warnings.map(({text}) => `Warning: ${text}`)].join('\n');
}

/** Returns what the status says, by its title. */
function statusRows(status: Status): Readonly<Record<string, string>> {
  const {database_bytes, file_bytes, free_bytes, last_backup: backup, mail} = status;
  const free = free_bytes === null ? '' : `, ${megabytes(free_bytes)} free on the disk`;
  return {
    ...(status.running && runningRows(status)),
    data: `${megabytes(database_bytes)} database, ${megabytes(file_bytes)} uploaded files${free}`,
    mail: mailText(mail),
    'last backup':
      backup === null ? 'none' : `${backup.taken_at}${backup.verified ? ', verified' : ''}, ${backup.path}`,
  };
}

function sshText(ssh: Status['ssh']): string {
  if (ssh === null) return 'not served';
  const {host, port, host_key: key, people, sessions} = ssh;
  const address = host.includes(':') ? `[${host}]` : host;
  return `${address}:${port}, host key ${key}, ${peopleText(people)} in ${countedNoun(sessions, 'session')}`;
}

function peopleText(count: number): string {
  return count === 1 ? '1 person' : `${count} people`;
}

function runningRows({started_at, uptime_seconds, people_connected, event_queues, events_waiting, ssh}: Status) {
  const hours = Math.floor((uptime_seconds ?? 0) / 3600);
  return {
    started: `${started_at}, ${hours < 48 ? countedNoun(hours, 'hour') : countedNoun(Math.floor(hours / 24), 'day')} ago`,
    connected: `${peopleText(people_connected)}, ${countedNoun(event_queues, 'event queue')} with ${countedNoun(events_waiting, 'waiting event')}`,
    ssh: sshText(ssh),
  };
}

function mailText({configured, problem, waiting, givenUp}: Status['mail']): string {
  if (!configured && waiting === 0) return 'not sent by this server';
  const failure = problem === null ? '' : `; the mail server said: ${problem}`;
  return `${waiting} waiting, ${givenUp} given up${failure}`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
