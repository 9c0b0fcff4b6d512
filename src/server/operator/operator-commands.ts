import {badRequest} from '#server/http/errors.ts';
import type {Infer} from '#wire/schema.ts';
import {copyCommands} from './copy-command.ts';
import type {OperatorCommand, OperatorSession} from './operator-command.ts';
import {organizationCommands} from './organization-commands.ts';
import {userCommands} from './user-commands.ts';

/** What the person who runs a server can do without an account, by name. */
const operatorCommands = {...userCommands, ...organizationCommands, ...copyCommands};

type Commands = typeof operatorCommands;
export type CommandName = keyof Commands;
export type CommandParams<N extends CommandName> = Infer<Commands[N]['params']>;
export type CommandResult<N extends CommandName> = Awaited<ReturnType<Commands[N]['run']>>;

/** Runs a command that another process may have named. */
export async function runOperatorCommand(session: OperatorSession, name: string, params: unknown): Promise<unknown> {
  const known: Readonly<Record<string, Pick<OperatorCommand<unknown, unknown>, 'run'>>> = operatorCommands;
  const found = Object.hasOwn(known, name) ? known[name] : undefined;
  if (found === undefined) throw badRequest('The server is another version of Parley. Restart it.');
  return found.run(session, params);
}
