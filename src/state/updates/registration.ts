import type {AccountState} from '#state/state.ts';
import type {ServerEvent} from '#wire/events.ts';
import {isApiFailure, LoginFailure, PermanentFailure} from '#wire/failure.ts';
import {minimumLevel, releaseWith} from '#wire/levels.ts';
import {featureLevel, type ServerSettings, serverVersion} from '#wire/objects/server-settings.ts';
import {roles} from '#wire/objects/user.ts';
import type {Snapshot} from '#wire/register.ts';
import {EventQueue} from './event-queue.ts';
import type {InterruptibleRequest} from './interruptible-request.ts';
import type {UpdateMachinePorts} from './update-machine-ports.ts';

interface Registration {
  /** Undefined when the level was known, and the settings were not asked for. */
  readonly settings: ServerSettings | undefined;
  readonly level: number;
  readonly snapshot: Snapshot;
  readonly queue: EventQueue;
}

/**
 * Fetches the settings before a registration: the queue may have been lost to a server upgrade. A start with saved
 * data registers at the saved level, to be online sooner; if the response says another level, or the request is
 * refused, the settings decide.
 */
export async function registerWithServer(
  ports: UpdateMachinePorts,
  request: InterruptibleRequest,
): Promise<Registration> {
  const {connection, server} = ports.cache.state;
  const isRestored = connection.phase === 'starting' && connection.savedAt !== undefined;
  const registration = isRestored ? await registerAtSavedLevel(ports, request, server.level) : undefined;
  if (registration !== undefined) return registration;
  const settings = await request.run((signal) => ports.serverSettings(signal));
  return {...(await registerAt(ports, request, featureLevel(settings), serverVersion(settings))), settings};
}

/** Returns undefined if the server has another level or refuses the request. */
async function registerAtSavedLevel(
  ports: UpdateMachinePorts,
  request: InterruptibleRequest,
  level: number,
): Promise<Registration | undefined> {
  try {
    const registration = await registerAt(ports, request, level);
    if (registration.level === level) return registration;
    void registration.queue.deleteOnServer((id, signal) => ports.deleteQueue(id, signal));
  } catch (error) {
    if (!isApiFailure(error) || error.kind !== 'permanent') throw error;
  }
  return undefined;
}

async function registerAt(
  ports: UpdateMachinePorts,
  request: InterruptibleRequest,
  level: number,
  version?: string,
): Promise<Registration> {
  if (level < minimumLevel) throw unsupportedServerFailure(level, version);
  ports.setLevel(level);
  const snapshot = await request.run((signal) => ports.register(level, signal));
  const {queue_id, last_event_id} = snapshot;
  if (queue_id === null) throw noQueueFailure();
  const queue = new EventQueue(ports.clock, {queue_id, last_event_id});
  return {settings: undefined, level: featureLevel(snapshot) || level, snapshot, queue};
}

/**
 * Returns why only a new registration has all that these events changed; undefined for most events. The bots and default
 * channels that a user sees depend on their role, and policies of topics are left out while a channel is archived. `state` has
 * the events already.
 */
export function registrationReason(events: readonly ServerEvent[], {self, users}: AccountState): string | undefined {
  for (const event of events) {
    if (event.type === 'realm_user' && event.op === 'update') {
      const {user_id, role, is_active} = event.person;
      if (user_id === self.userId && role !== undefined) return 'the role of the user changed';
      // What was sent while the account was deactivated is not in the queue.
      if (user_id === self.userId && is_active === true) return 'the account was reactivated';
      if (is_active === true && !users.has(user_id)) return 'a hidden user was reactivated';
    } else if (event.type === 'stream' && event.op === 'update') {
      if (event.property === 'is_archived' && event.value === false) return 'a channel was unarchived';
    }
  }
  return undefined;
}

/**
 * Returns whether the response was made of two moments: after a change of the own role, servers may say the new role and still
 * what the old one allowed.
 */
export function isInconsistent({user_id, is_admin, realm_users: users}: Snapshot): boolean {
  const role = users?.find((user) => user.user_id === user_id)?.role;
  return role !== undefined && is_admin !== undefined && is_admin !== role <= roles.administrator;
}

/* Failures that the update machine detects itself, in successful responses. */

export function unsupportedServerFailure(level: number, version: string | undefined): PermanentFailure {
  const versionText = version === undefined ? '' : ` (version ${version})`;
  const text = `This server${versionText} is too old: Parley needs ${releaseWith(minimumLevel)} (feature level ${minimumLevel}), the server has ${level}.`;
  return new PermanentFailure(text, {
    endpoint: 'server.settings',
    carriedOut: 'no',
    code: 'SERVER_TOO_OLD',
  });
}

function noQueueFailure(): PermanentFailure {
  const text = 'The server did not create an event queue, so no new messages would arrive.';
  return new PermanentFailure(text, {endpoint: 'queue.register', carriedOut: 'no', code: 'BAD_REQUEST'});
}

export function organizationDeactivatedFailure(): LoginFailure {
  const text = 'This organization has been deactivated.';
  return new LoginFailure(text, {endpoint: 'queue.poll', carriedOut: 'no', code: 'REALM_DEACTIVATED'});
}
