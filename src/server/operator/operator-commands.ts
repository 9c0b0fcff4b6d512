import {mkdtempSync, readdirSync, rmSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import {forgetLoginAttempts, hashNewPassword, passwordLink} from '#server/accounts/password.ts';
import {hasAddressForm} from '#server/actions/inputs.ts';
import {restoreArchive} from '#server/actions/messages/archive-messages.ts';
import {updateOrganization} from '#server/actions/organization/update-organization.ts';
import {regenerateApiKey} from '#server/actions/users/api-keys.ts';
import {createUser} from '#server/actions/users/create-user.ts';
import {deactivateOther, deactivateUser, reactivateUser} from '#server/actions/users/deactivate-user.ts';
import {addSshKey, removeSshKey, sshKeysOf} from '#server/actions/users/ssh-keys.ts';
import {updateAccount} from '#server/actions/users/update-account.ts';
import {updateUser} from '#server/actions/users/update-user.ts';
import {removePersonFolder} from '#server/backup/person-folders.ts';
import type {ActionContext, ServerContext} from '#server/context.ts';
import {type Database, isDiskFull} from '#server/db/database.ts';
import {findGroupByName} from '#server/db/groups.ts';
import {uploadSpaceUsed} from '#server/db/organization-items.ts';
import type {UserRow} from '#server/db/rows.ts';
import {findUser, findUserByEmail, listUsers} from '#server/db/users.ts';
import {ApiError, badRequest, check, required} from '#server/errors.ts';
import {queuedMails} from '#server/mail/mail-queue.ts';
import type {Mailer} from '#server/mail/mailer.ts';
import {
  administrationEntries,
  recordAdministration,
  recordAfterwards,
} from '#server/organization/administration-log.ts';
import {systemBots} from '#server/organization/bootstrap.ts';
import {Role, realmPermissionRules} from '#server/organization/permission-rules.ts';
import {paramDecoder} from '#server/param-decoder.ts';
import {organization, storeOrganizationSetting} from '#server/permissions/has-permission.ts';
import {defaultQuotaMib, guestQuotaMib} from '#server/uploads/upload-quota.ts';
import {authenticationMethodStates} from '#server/views/server-settings.ts';
import {errorText} from '#std/error-text.ts';
import {invariant} from '#std/invariant.ts';
import {ownValue} from '#std/own-value.ts';
import {updateRealm} from '#wire/endpoints/organization.ts';
import {currentLevel} from '#wire/levels.ts';
import {decode, type Infer, int, object, type Schema, s} from '#wire/schema.ts';
import {auditedChanges, auditedValues} from './audited-values.ts';
import {backupFact, storeBackupFact} from './backup-fact.ts';
import {deletePerson} from './delete-person.ts';
import {changeUsers, importedUser, importUsers, userChanges} from './many-users.ts';
import {serverStatus} from './server-status.ts';
import {dependsOnSecret, rotateSecret, sessionsOf, signOut} from './sign-out.ts';

const organizationCommands = {
  /** The settings that `setSetting` can change. */
  settings: command(object({}), ({server}) => {
    const methods = Object.entries(authenticationMethodStates(server)).map(([name, {enabled}]) => [name, enabled]);
    const all = Object.entries({...organization({server}), authentication_methods: Object.fromEntries(methods)});
    return Object.fromEntries(
      all.filter(([name]) => isSetting(name)).map(([name, value]) => [name, groupName(server, name, value)]),
    );
  }),
  setSetting: command(object({name: s.string(), value: s.string()}), ({server}, {name, value}) => {
    check(isSetting(name), `There is no setting “${name}”. “parley serve org show” lists them.`);
    if (name === backupSetting) return {changed: setBackupAge(server, wholeNumber(name, value))};
    const values =
      name === quotaSetting
        ? {[name]: wholeNumber(name, value)}
        : namingAllowed(server, name, () => decoded(name, groupChange(server, name, sentValue(name, value))));
    const change = () => server.runAction((act) => updateOrganization(act, operatorUser(server), values));
    return {changed: Object.keys(namingAllowed(server, name, change)).length > 0};
  }),
  status: command(object({}), ({server}) => serverStatus(server)),
  restoreMessages: command(object({}), ({server}) => ({restored: server.runAction(restoreArchive)})),
  /** Who changed what since a time, with the names of the accounts. */
  administrationLog: command(object({since: int, actor: s.nullable(s.string())}), ({server: {db}}, {since, actor}) => {
    const emailOf = (id: number | undefined) =>
      id === undefined ? null : (db.value<string>('SELECT delivery_email FROM user WHERE id = ?', id) ?? null);
    return administrationEntries(db, since, actorId(db, actor)).map(({user_id: id, ...entry}) => ({
      ...entry,
      actor: id === null ? 'operator' : emailOf(id),
      target_email: emailOf(entry.target.user_id ?? entry.target.bot_id),
    }));
  }),
  limits: command(object({}), ({server}) => ({
    uploadQuotaMib: organization({server}).upload_quota_mib ?? defaultQuotaMib,
    uploadedBytes: uploadSpaceUsed(server.db),
    guestQuotaMib,
    ...server.limits,
  })),
};

/** Returns null for the operator, and undefined for everybody. */
function actorId(db: Database, actor: string | null): number | null | undefined {
  if (actor === null) return undefined;
  return actor === 'operator' ? null : required(findUserByEmail(db, actor)?.id, `There is no user ${actor}.`);
}

/** The settings that no client can change: the operator knows how large the disk is, and when backups are made. */
const quotaSetting = 'upload_quota_mib';
const backupSetting = 'backup_max_age_hours';

function isSetting(name: string): boolean {
  const param = Object.hasOwn(updateRealm.params, name) ? Reflect.get(updateRealm.params, name) : undefined;
  return name === quotaSetting || name === backupSetting || (param !== undefined && param.until === undefined);
}

function wholeNumber(name: string, value: string): number | null {
  if (value === 'default') return null;
  if (/^\d{1,9}$/.test(value) && Number(value) > 0) return Number(value);
  throw badRequest(`${name} must be a whole number above 0, or “default”.`);
}

/** Adds to an error which values a setting takes. */
function namingAllowed<T>(server: ServerContext, name: string, body: () => T): T {
  try {
    return body();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw badRequest(`${error.message.replace(/\.?$/, '.')} ${name} takes ${allowedValue(server, name)}.`);
  }
}

const words: Readonly<Record<string, string>> = {
  default_language: 'the code of a language, such as en or de',
  message_edit_history_visibility_policy: 'all, moves or none',
  message_retention_days: 'a number of days, or “unlimited”',
  topics_policy: 'allow_empty_topic, disable_empty_topic or empty_topic_only',
};

function allowedValue(server: ServerContext, name: string): string {
  const known = ownValue(words, name);
  if (known !== undefined) return known;
  if (Object.hasOwn(realmPermissionRules, name)) return 'the name of a group, such as role:members';
  const value: unknown = Reflect.get(organization({server}), name);
  if (typeof value === 'boolean') return 'true or false';
  if (name.endsWith('_id')) return 'the id of a channel, or “none”';
  return typeof value === 'number' ? 'a whole number' : 'another text';
}

/** Clients do not have this setting, so they are not told. */
function setBackupAge(server: ServerContext, hours: number | null): boolean {
  if (organization({server}).backup_max_age_hours === hours) return false;
  server.runAction((act) => storeOrganizationSetting(act, backupSetting, hours));
  return true;
}

/** Returns what the endpoint calls a value that “parley serve org show” names by a word. */
function sentValue(name: string, value: string): string {
  if (value === 'none' && name.endsWith('_id')) return '-1';
  const words = name === 'message_retention_days' ? ['unlimited'] : name === 'jitsi_server_url' ? ['default'] : [];
  return words.includes(value) ? JSON.stringify(value) : value;
}

/** Decodes the value as the endpoint does. A text without quotes is a text. */
function decoded(name: string, value: string): Readonly<Record<string, unknown>> {
  const {params} = paramDecoder(updateRealm, currentLevel)({}, new URLSearchParams([[name, value]]), noParams());
  return params;
}

const noParams = () => new URLSearchParams();

/** Returns the change of a permission for the name of a group such as `role:members`; other values as they are. */
function groupChange({db}: ServerContext, name: string, value: string): string {
  if (!Object.hasOwn(realmPermissionRules, name) || value.startsWith('{')) return value;
  const group = findGroupByName(db, value);
  check(group !== undefined && group.deactivated !== 1, `There is no group “${value}”.`);
  return JSON.stringify({new: group.id});
}

/** Returns the name of the group that has a permission; other values, and sets of several groups, as they are. */
function groupName({db}: ServerContext, name: string, value: unknown): unknown {
  if (!Object.hasOwn(realmPermissionRules, name) || typeof value !== 'number') return value;
  return db.value<string>('SELECT name FROM user_group WHERE id = ?', value) ?? value;
}

const mailCommands = {
  mailQueue: command(object({}), ({server}) => queuedMails(server.db)),
  testMail: command(object({to: s.string()}), async ({server}, {to}) => {
    const mail = requireMail(server);
    check(hasAddressForm(to), 'Enter an address such as ann@example.com.');
    await mail.test(to).catch((error: unknown) => {
      throw badRequest(`The mail server did not take it: ${errorText(error)}.`);
    });
  }),
  retryMails: command(object({}), ({server}) => ({count: requireMail(server).retry()})),
};

/** Only a running server knows the mail server. */
function requireMail({mail, program}: ServerContext): Mailer {
  if (mail !== undefined) return mail;
  throw badRequest(
    program === undefined
      ? 'The server does not run. Start it with --smtp and --mail-from.'
      : 'This server sends no e-mail. Start it with --smtp and --mail-from.',
  );
}

const email = {email: s.string()};

/** Runs an action on the account with this address, in the operator's name. */
function onAccount<T>(
  {server}: OperatorSession,
  address: string,
  body: (act: ActionContext, target: UserRow, actor: UserRow) => T,
): T {
  return server.runAction((act) => body(act, requireAccount(server, address), operatorUser(server)));
}

const userCommands = {
  listUsers: command(object({}), ({server}) =>
    listUsers(server.db).map((user) => ({
      id: user.id,
      email: user.delivery_email,
      name: user.full_name,
      role: user.role,
      isActive: user.is_active === 1,
      isBot: user.is_bot === 1,
    })),
  ),
  createUser: command(object({...email, name: s.string(), role: int}), ({server}, {email: address, name, role}) =>
    server.runAction((act) => ({
      id: createUser(act, {email: address, fullName: name, role, actor: operatorUser(server)}).id,
    })),
  ),
  deactivateUser: command(object(email), (session, params) =>
    onAccount(session, params.email, (act, target, actor) => {
      if (target.is_bot === 0) deactivateOther(act, actor, target);
      else if (target.is_active === 1) deactivateUser(act, target);
    }),
  ),
  deleteUser: command(object({...email, erase: s.boolean()}), async (session, {email: address, erase}) => {
    const {server, directory} = session;
    const target = requireAccount(server, address);
    check(target.is_bot !== 1, 'A bot has no data of a person. Deactivate it.');
    const deleted = await deletePerson(server, {actor: operatorUser(server), target, erasesMessages: erase});
    // A session that ends saves what it has.
    await server.ssh?.endPerson(target.id);
    removePersonFolder(directory, target.id);
    return deleted;
  }),
  reactivateUser: command(object(email), (session, params) =>
    onAccount(session, params.email, (act, target, actor) => reactivateUser(act, actor, target)),
  ),
  setUserRole: command(object({...email, role: int}), (session, params) =>
    onAccount(session, params.email, (act, target, actor) => updateUser(act, actor, target, {role: params.role})),
  ),
  /** Replaces the API key. */
  newUserKey: command(object(email), (session, params) =>
    onAccount(session, params.email, (act, target) => {
      check(target.is_active !== 0, `${target.delivery_email} is deactivated.`);
      return {email: target.delivery_email, key: regenerateApiKey(act, target), site: session.server.url};
    }),
  ),
  passwordLink: command(object(email), ({server}, params) => {
    const user = requireAccount(server, params.email);
    check(user.is_bot !== 1, 'Bots have no password.');
    check(user.is_active !== 0, `${user.delivery_email} is deactivated.`);
    return passwordLink(server, user);
  }),
  /** Lets the account log in again after too many wrong passwords. */
  unlockUser: command(object(email), ({server}, params) => ({
    hadFailures: forgetLoginAttempts(server, requireAccount(server, params.email).delivery_email),
  })),
  setUserPassword: command(object({...email, password: s.string()}), async (session, params) => {
    check(requireAccount(session.server, params.email).is_bot !== 1, 'Bots have no password.');
    const passwordHash = await hashNewPassword(session.server, params.password);
    onAccount(session, params.email, (act, target) =>
      updateAccount(act, target, {settings: {}, fullName: undefined, email: undefined, passwordHash}),
    );
  }),
};

const manyCommands = {
  importUsers: command(
    object({users: s.array(importedUser), invites: s.boolean(), isTrial: s.boolean()}),
    ({server}, params) => {
      if (params.invites) requireMail(server);
      const {done, problems} = importUsers(server, {...params, actor: operatorUser(server)});
      const isDone = !params.isTrial && problems.length === 0;
      const linkOf = (id: number | null) => {
        const user = id === null || !isDone ? undefined : findUser(server.db, id);
        return user === undefined ? null : passwordLink(server, user).url;
      };
      return {done: done.map(({email: address, id}) => ({email: address, link: linkOf(id)})), problems};
    },
  ),
  changeUsers: command(
    object({change: s.string(), emails: s.array(s.string()), role: int, isTrial: s.boolean()}),
    ({server}, {change, emails, role, isTrial}) => {
      const name = required(
        Object.keys(userChanges).find((each) => each === change),
        `There is no change “${change}”.`,
      );
      return changeUsers(server, {
        targets: ({server: {db}}, address) => requireAccount({...server, db}, address),
        change: {name: name as keyof typeof userChanges, emails},
        role,
        isTrial,
        actor: operatorUser(server),
      });
    },
  ),
  userSessions: command(object(email), ({server}, params) => sessionsOf(server, requireAccount(server, params.email))),
  signOutUser: command(object(email), (session, params) =>
    onAccount(session, params.email, (act, target) => signOut(act, target)),
  ),
  rotateSecret: command(object({isTrial: s.boolean()}), ({server, directory}, {isTrial}) => {
    const ended = dependsOnSecret(server);
    if (!isTrial) rotateSecret(server, directory);
    return {...ended, site: server.url};
  }),
};

const sshKeyCommands = {
  listSshKeys: command(object(email), ({server}, params) =>
    sshKeysOf(server.db, requireAccount(server, params.email).id),
  ),
  addSshKey: command(object({...email, key: s.string()}), (session, params) =>
    onAccount(session, params.email, (act, target, actor) => addSshKey(act, target, params.key, actor)),
  ),
  removeSshKey: command(object({...email, fingerprint: s.string()}), (session, params) =>
    onAccount(session, params.email, (act, target, actor) =>
      removeSshKey(act, target, ({fingerprint}) => fingerprint === params.fingerprint, actor),
    ),
  ),
};

const prefix = 'copy-';

/**
 * Copies the database into a new folder of the data directory and returns the folder's name. The folder exists as long
 * as the operator's connection; until then, no file is deleted, so that the copy finds all files that it refers to.
 */
const copyCommands = {
  noteBackup: command(backupFact, ({server}, fact) => server.runAction(({db}) => storeBackupFact(db, fact))),
  copyDatabase: command(object({}, {into: s.string()}), async ({server, directory, progress, atEnd}, {into}) => {
    const folder = (into === undefined ? undefined : newCopyFolderIn(into)) ?? newCopyFolder(directory);
    atEnd(() => rmSync(folder, {recursive: true, force: true}));
    atEnd(server.files.holdDeletions());
    await server.db.copyTo(join(folder, 'parley.db'), progress).catch((error: unknown) => {
      throw isDiskFull(error) ? noSpaceForCopy(server, dirname(folder), directory) : error;
    });
    const name = dirname(folder) === directory ? basename(folder) : folder;
    return {folder: name, takenAt: server.clock.now()};
  }),
};

/** Returns undefined for a folder that this process does not see or may not write to. */
function newCopyFolderIn(path: string): string | undefined {
  try {
    return newCopyFolder(path);
  } catch {
    return undefined;
  }
}

function noSpaceForCopy({db}: ServerContext, folder: string, directory: string): ApiError {
  const bytes = (db.value('PRAGMA page_count') ?? 0) * (db.value('PRAGMA page_size') ?? 0);
  const text = `There is no space for a copy of the database in ${folder}, which needs ${Math.ceil(bytes / 1e6)} MB.`;
  const remedy = folder === directory ? ' Free it, or stop the server: then no copy is made.' : '';
  return new ApiError('INSUFFICIENT_STORAGE', text + remedy, 507);
}

/** Creates a folder that is removed at the next start of a server if its own process is killed. */
export function newCopyFolder(directory: string): string {
  return mkdtempSync(join(directory, prefix));
}

/** Removes copies that a killed server left. Only the process that has locked the database may call it. */
export function removeLeftCopies(directory: string): void {
  for (const name of readdirSync(directory)) {
    if (name.startsWith(prefix)) rmSync(join(directory, name), {recursive: true, force: true});
  }
}

/** What the person who runs a server can do without an account, by name. */
const operatorCommands = {
  ...userCommands,
  ...sshKeyCommands,
  ...organizationCommands,
  ...mailCommands,
  ...manyCommands,
  ...copyCommands,
};

type Commands = typeof operatorCommands;
export type CommandName = keyof Commands;
export type CommandParams<N extends CommandName> = Infer<Commands[N]['params']>;
export type CommandResult<N extends CommandName> = Awaited<ReturnType<Commands[N]['run']>>;

/** Runs a command that another process may have named. */
export async function runOperatorCommand(session: OperatorSession, name: string, params: unknown): Promise<unknown> {
  const known: Readonly<Record<string, Pick<OperatorCommand<unknown, unknown>, 'run'>>> = operatorCommands;
  const found = required(
    Object.hasOwn(known, name) ? known[name] : undefined,
    'The server is another version of Parley. Restart it.',
  );
  if (isReading(name) || recordsItself.has(name)) return found.run(session, params);
  const target = targetOf(session.server, params);
  const before = auditedValues(session, target);
  const result = await found.run(session, params);
  recordAfterwards(() => note(session.server, name, {params, target, before}));
  return result;
}

const reads: ReadonlySet<string> = new Set<CommandName>([
  'settings',
  'limits',
  'status',
  'listUsers',
  'listSshKeys',
  'mailQueue',
  'administrationLog',
  'userSessions',
  'noteBackup',
]);

/** The commands that record each change by themselves. */
const recordsItself: ReadonlySet<string> = new Set<CommandName>(['changeUsers', 'importUsers']);

/** Whether a command changes nothing that anybody has to know of. */
export function isReading(name: string): boolean {
  return reads.has(name);
}

/** Returns the id of the account that a command is about. */
function targetOf({db}: ServerContext, params: unknown): Readonly<Record<string, number>> {
  const {email: address}: {readonly email?: unknown} = Object(params);
  const user = typeof address === 'string' ? findUserByEmail(db, address) : undefined;
  return user === undefined ? {} : {user_id: user.id};
}

interface RunCommand {
  readonly params: unknown;
  readonly target: Readonly<Record<string, number>>;
  readonly before: ReturnType<typeof auditedValues>;
}

/** Keeps that the operator ran a command, on whom, and what it changed. */
function note(server: ServerContext, command: string, {params, target: found, before}: RunCommand): void {
  const {name: setting}: {readonly name?: unknown} = Object(params);
  // A new account has no values before.
  const target = Object.keys(found).length > 0 ? found : targetOf(server, params);
  recordAdministration(server.db, {
    userId: null,
    at: Math.floor(server.clock.now() / 1000),
    action: `operator.${command}`,
    target,
    fields: command === 'setSetting' ? [String(setting)] : [],
    changes: auditedChanges(before, auditedValues({server}, target)),
  });
}

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
interface OperatorCommand<P, R> {
  readonly params: Schema<P>;
  /** Checks the parameters, which may come from another version of Parley, and runs the command. */
  run(session: OperatorSession, input: unknown): Promise<R>;
}

function command<P, R>(
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
function operatorUser({db}: ServerContext): UserRow {
  const bot = findUserByEmail(db, systemBots.notification.email);
  invariant(bot !== undefined, 'the notification bot exists');
  return {...bot, role: Role.owner};
}

/** Returns the account with this address. Throws for unknown ones and for accounts of the server itself. */
function requireAccount({db}: ServerContext, email: string): UserRow {
  const user = findUserByEmail(db, email);
  check(user !== undefined && user.is_system_bot !== 1, `There is no user ${email}.`);
  return user;
}
