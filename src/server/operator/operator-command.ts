import type {ServerContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {findUserByEmail} from '#server/db/users.ts';
import {badRequest} from '#server/http/errors.ts';
import {systemBots} from '#server/organization/bootstrap.ts';
import {Role} from '#server/permissions/system-groups.ts';
import {invariant} from '#std/invariant.ts';
import {decode, type Schema} from '#wire/schema.ts';

/** The connection of the person who runs the server; it lasts as long as the verb that they started. */
export interface OperatorSession {
  readonly server: ServerContext;
  /** The data directory. */
  readonly directory: string;
  progress(fraction: number): void;
  /** Runs the task when the connection ends, however it ends. */
  atEnd(task: () => void): void;
}

/** Something that the operator can do. Results are JSON values, because they may come from another process. */
export interface OperatorCommand<P, R> {
  readonly params: Schema<P>;
  /** Checks the parameters, which may come from another version of Parley, and runs the command. */
  run(session: OperatorSession, input: unknown): Promise<R>;
}

export function command<P, R>(
  params: Schema<P>,
  run: (session: OperatorSession, params: P) => R | Promise<R>,
): OperatorCommand<P, R> {
  return {
    params,
    async run(session, input) {
      const decoded = decode(params, input);
      if (!decoded.ok) throw badRequest(`The server does not understand this: ${decoded.reason}. Restart it.`);
      return run(session, decoded.value);
    },
  };
}

/**
 * Returns the user in whose name the operator acts: the notification bot with the rights of an owner, so that rules
 * about the last owner hold, and people are told what changed in their account.
 */
export function operatorUser({db}: ServerContext): UserRow {
  const bot = findUserByEmail(db, systemBots.notification.email);
  invariant(bot !== undefined, 'the notification bot exists');
  return {...bot, role: Role.owner};
}

/** Returns the account with this address. Throws for unknown ones and for accounts of the server itself. */
export function requireAccount({db}: ServerContext, email: string): UserRow {
  const user = findUserByEmail(db, email);
  if (user === undefined || user.is_system_bot === 1) throw badRequest(`There is no user ${email}.`);
  return user;
}
