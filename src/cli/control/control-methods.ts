import type {App} from '#app/core/app.ts';
import {inboxMessageIds, inboxOverview, ownStatus, unreadOverview} from '#cli/messages/unread-overview.ts';
import type {CommandRunner} from '#commands/command.ts';
import {type CommandDescription, describeCommands, runById} from '#commands/palette.ts';
import type {AccountState} from '#state/state.ts';
import {ownValue} from '#std/own-value.ts';
import {type ControlClient, type Params, RpcError, rpcCodes} from './control-client.ts';
import {describeScreen} from './describe-screen.ts';
import type {ProgramStatus} from './status-text.ts';

/** What the methods read and run. */
export interface ControlledProgram {
  readonly runner: CommandRunner;
  /** Lists the commands of an app. */
  readonly commandList: (app: App) => readonly CommandDescription[];
  readonly status: () => ProgramStatus;
  /** The app of the account on the screen. */
  readonly shown: () => App | undefined;
  /** The app of an open account. */
  readonly app: (account: string) => App | undefined;
}

/** Reasons may depend on what no frame has, such as a file: a list is kept no longer. */
const keptMs = 250;

/** Returns a function that lists the commands of an app; it returns the same list while the frame and the settings are the same. */
export function keptCommandList(runner: CommandRunner): ControlledProgram['commandList'] {
  let keys: readonly unknown[] = [];
  let list: readonly CommandDescription[] = [];
  let listedAt = Number.NEGATIVE_INFINITY;
  return (app) => {
    const now = app.clock.monotonic();
    const before = keys;
    keys = [app.frame, app.settings];
    if (now - listedAt < keptMs && keys.every((key, at) => key === before[at])) return list;
    list = describeCommands(app, runner);
    listedAt = now;
    return list;
  };
}

interface Method {
  readonly summary: string;
  /** The parameters and what they are. All are optional unless `required` names them. */
  readonly params: Readonly<Record<string, string>>;
  readonly required?: readonly string[];
  readonly run: (program: ControlledProgram, params: Params, client: Pick<ControlClient, 'subscribe'>) => unknown;
}

const controlEvents = ['message', 'unread', 'connection'] as const;

const account = 'an open account; by default the one on the screen';

/** Returns a method for a verb that asks a running program before it asks the server. */
function verbMethod(verb: string, otherwise: string, answer: (state: AccountState) => object | null): Method {
  return {
    summary: `returns what \`parley ${verb}\` prints, or null while the account is not online${otherwise}`,
    params: {account, account_id: 'refuse if the account has another identifier'},
    run: (program, {account_id: id, ...params}) => {
      const {state, info} = appOf(program, params);
      const isMeant = id === undefined || id === info.accountId;
      if (!isMeant) throw new RpcError(rpcCodes.params, `The account “${info.accountName}” has another identifier.`);
      return state.connection.phase === 'online' ? answer(state) : null;
    },
  };
}

const controlMethods: Readonly<Record<string, Method>> = {
  'rpc.discover': {
    summary: 'lists these methods and the events',
    params: {},
    run: () => ({
      methods: Object.entries(controlMethods).map(([name, {summary, params}]) => ({name, summary, params})),
      events: controlEvents.map((name) => `event.${name}`),
    }),
  },
  'status.get': {
    summary: 'returns the unread counts and connections of the open accounts',
    params: {},
    run: ({status}) => status(),
  },
  'commands.list': {
    summary: 'lists the commands of the palette, and why those that cannot run now cannot',
    params: {},
    run: (program) => program.commandList(appOf(program, {})),
  },
  'commands.run': {
    summary: 'runs a command on the screen and returns what happened',
    params: {id: 'the id of a command', account: 'refuse if another account is on the screen'},
    required: ['id'],
    run: (program, params) => {
      const app = appOf(program, params);
      if (app !== program.shown()) return {outcome: 'refused', reason: `Another account is on the screen`};
      const outcome = runById(app, program.runner, String(params.id));
      if (outcome === undefined) throw new RpcError(rpcCodes.params, `There is no command “${String(params.id)}”.`);
      return outcome;
    },
  },
  'view.get': {
    summary: 'returns the view and the selection',
    params: {account},
    run: (program, params) => describeScreen(appOf(program, params)),
  },
  'unread.get': verbMethod('unread', '', unreadOverview),
  'inbox.get': verbMethod('inbox', ' or its messages are not loaded', (state) =>
    inboxMessageIds(state).every((id) => state.messages.byId.has(id)) ? inboxOverview(state) : null,
  ),
  'own-status.get': verbMethod('status', '', ownStatus),
  'events.subscribe': {
    summary: 'sends notifications of these events from now on, instead of those asked for before',
    params: {events: `a list of ${controlEvents.join(', ')}; all by default, none if empty`},
    run: (_program, {events = controlEvents}, client) => {
      const names = Array.isArray(events) ? events.map(String) : [String(events)];
      const unknown = names.find((name) => !controlEvents.some((event) => event === name));
      if (unknown !== undefined) {
        throw new RpcError(rpcCodes.params, `There is no event “${unknown}”. Events: ${controlEvents.join(', ')}.`);
      }
      client.subscribe(names);
      return {events: [...new Set(names)]};
    },
  },
};

export function callMethod(program: ControlledProgram, client: ControlClient, name: string, params: Params): unknown {
  const method = ownValue(controlMethods, name);
  if (method === undefined) {
    throw new RpcError(rpcCodes.method, `There is no method “${name}”. “rpc.discover” lists them.`);
  }
  const unknown = Object.keys(params).find((key) => !Object.hasOwn(method.params, key));
  if (unknown !== undefined) {
    const known = Object.keys(method.params).join(', ') || 'none';
    throw new RpcError(rpcCodes.params, `${name} has no parameter “${unknown}”. Parameters: ${known}.`);
  }
  for (const key of method.required ?? []) {
    if (typeof params[key] !== 'string') throw new RpcError(rpcCodes.params, `${name} needs the text “${key}”.`);
  }
  return method.run(program, params, client);
}

function appOf({shown, app}: ControlledProgram, {account: name}: Params): App {
  const found = name === undefined ? shown() : app(String(name));
  if (found !== undefined) return found;
  throw new RpcError(
    rpcCodes.params,
    name === undefined ? 'No account is shown.' : `The account “${String(name)}” is not open.`,
  );
}
