import {type ControlConnection, connectToControl} from '#cli/control/control-connection.ts';
import type {describeScreen} from '#cli/control/describe-screen.ts';
import {
  chooseProgram,
  controlFolder,
  type ProgramChoice,
  runningPrograms,
  statusText,
} from '#cli/control/status-text.ts';
import {type CliIo, exitCodes, PlainFailure, print, printJson, UsageError} from '#cli/io.ts';
import {printJsonLine} from '#cli/messages/message-text.ts';
import {cutTableText} from '#cli/table-lines.ts';
import type {CommandDescription, RunOutcome} from '#commands/palette.ts';
import {composed} from '#std/composed-text.ts';
import {isRecord, parseJson} from '#std/parse-json.ts';
import {printableLine} from '#std/printable.ts';
import type {VerbRunner} from './verb-table.ts';

export const ctlStatus: VerbRunner<'ctl status'> = async ({values}, io) => {
  print(io, statusText(values, io.env, io.home));
  return undefined;
};

export const ctlList: VerbRunner<'ctl list'> = async (_arguments, io) => {
  const programs = runningPrograms(controlFolder(io.paths));
  const rows = programs.map(({pid, accounts}) => [String(pid), accounts.map(({account}) => account).join(', ')]);
  if (rows.length === 0) throw new PlainFailure('No Parley with a control socket is running.');
  return {json: programs, text: cutTableText(io, rows)};
};

export const ctlCommands: VerbRunner<'ctl commands'> = async ({values}, io) => {
  const commands = (await call(values, io, 'commands.list')) as readonly CommandDescription[];
  const rows = commands.map(({id, keys, title, disabled}) => [
    id,
    keys[0] ?? '',
    title,
    disabled === undefined ? '' : `(${disabled})`,
  ]);
  return {json: commands, text: cutTableText(io, rows)};
};

export const ctlRun: VerbRunner<'ctl run'> = async ({values, words: [id = '']}, io) => {
  const {account} = values;
  const result = (await call(values, io, 'commands.run', {id, ...(account !== undefined && {account})})) as RunOutcome;
  const isRefused = result.outcome === 'refused';
  const asks = isRefused || result.asks === undefined ? [] : [`Parley shows: ${result.asks}`];
  return {
    json: result,
    text: isRefused || result.outcome === 'warned' ? undefined : [result.message ?? `Ran ${id}`, ...asks].join('\n'),
    notice: isRefused ? `${result.reason}.` : result.outcome === 'warned' ? result.message : undefined,
    exitCode: result.outcome === 'ran' ? exitCodes.ok : exitCodes.failed,
  };
};

export const ctlView: VerbRunner<'ctl view'> = async ({values}, io) => {
  const {account} = values;
  const params = account === undefined ? {} : {account};
  const screen = (await call(values, io, 'view.get', params)) as ReturnType<typeof describeScreen>;
  const {view, message, overlay, selection} = screen;
  const lines = [
    view.title,
    ...selection.map((each) => composed`selected: ${'to' in each ? each.to : composed`#${each.channel}`}`),
    ...(message === null
      ? []
      : [composed`message ${message.id}: ${message.senderName}: ${printableLine(message.text)}`]),
    ...(overlay === null ? [] : [`open: ${overlay}`]),
  ];
  return {json: screen, text: lines.join('\n')};
};

export const ctlWatch: VerbRunner<'ctl watch'> = async ({values, words}, io, signal) => {
  const connection = await connectionTo(values, io);
  signal.addEventListener('abort', () => connection.close(), {once: true});
  try {
    const ended = connection.listen((event, params) => {
      if (values.json) printJsonLine(io, {event, ...(params as object)});
      else print(io, eventText(event, params as EventParams));
    });
    await connection.call('events.subscribe', words.length === 0 ? {} : {events: words});
    await ended;
  } finally {
    connection.close();
  }
  signal.throwIfAborted();
  throw new PlainFailure('Parley has ended.');
};

interface EventParams {
  readonly account: string;
  readonly connection?: string;
  readonly unread?: number;
  readonly mentions?: number;
  readonly message?: NonNullable<ReturnType<typeof describeScreen>['message']>;
}

function eventText(event: string, {account, connection, unread, mentions, message}: EventParams): string {
  if (message !== undefined) {
    return printableLine(composed`${account}: ${message.conversation.to} ${message.senderName}: ${message.text}`);
  }
  return printableLine(
    event === 'unread' ? `${account}: ${unread} unread, ${mentions} mentions` : `${account}: ${connection}`,
  );
}

export const ctlCall: VerbRunner<'ctl call'> = async ({values, words: [method = '', text = '{}']}, io) => {
  printJson(io, await call(values, io, method, paramsOf(text)));
  return undefined;
};

function paramsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value = parseJson(text);
    if (isRecord(value)) return value;
  } catch {
    // Refused below.
  }
  throw new UsageError('PARAMS is an object in JSON, such as {"id": "view.inbox"}.');
}

async function connectionTo(choice: ProgramChoice, io: CliIo): Promise<ControlConnection> {
  const {program} = chooseProgram(choice, io.env, io.home);
  return connectToControl(controlFolder(io.paths), program.pid, io.clock);
}

async function call(
  choice: ProgramChoice,
  io: CliIo,
  method: string,
  params: Readonly<Record<string, unknown>> = {},
): Promise<unknown> {
  const connection = await connectionTo(choice, io);
  return connection.call(method, params).finally(connection.close);
}
