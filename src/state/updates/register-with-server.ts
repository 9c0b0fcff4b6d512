import {isApiFailure} from '#api/failure.ts';
import type {ServerEvent} from '#wire/events.ts';
import {minimumLevel} from '#wire/levels.ts';
import type {ServerSettings} from '#wire/objects/server-settings.ts';
import {featureLevel, serverVersion} from '#wire/objects/version.ts';
import type {Snapshot} from '#wire/register.ts';
import {EventQueue} from './event-queue.ts';
import {noQueueFailure, unsupportedServerFailure} from './failures.ts';
import type {InterruptibleRequest} from './interruptible-request.ts';
import type {UpdateMachinePorts} from './update-machine-ports.ts';

export interface Registration {
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
 * channels that a user sees depend on their role, and policies of topics are left out while a channel is archived.
 */
export function registrationReason(events: readonly ServerEvent[], selfId: number): string | undefined {
  for (const event of events) {
    if (event.type === 'realm_user' && event.op === 'update') {
      const {user_id, role} = event.person;
      if (user_id === selfId && role !== undefined) return 'the role of the user changed';
    } else if (event.type === 'stream' && event.op === 'update') {
      if (event.property === 'is_archived' && event.value === false) return 'a channel was unarchived';
    }
  }
  return undefined;
}
