import {minimumLevel} from '#wire/levels.ts';
import type {ServerSettings} from '#wire/objects/server-settings.ts';
import {featureLevel, serverVersion} from '#wire/objects/version.ts';
import type {Snapshot} from '#wire/register.ts';
import {EventQueue} from './event-queue.ts';
import {noQueueFailure, unsupportedServerFailure} from './failures.ts';
import type {InterruptibleRequest} from './interruptible-request.ts';
import type {UpdateMachinePorts} from './update-machine-ports.ts';

export interface Registration {
  readonly settings: ServerSettings;
  readonly level: number;
  readonly snapshot: Snapshot;
  readonly queue: EventQueue;
}

/** Fetches the settings before every registration: the queue may have been lost to a server upgrade. */
export async function registerWithServer(
  ports: UpdateMachinePorts,
  request: InterruptibleRequest,
): Promise<Registration> {
  const settings = await request.run((signal) => ports.serverSettings(signal));
  const level = featureLevel(settings);
  if (level < minimumLevel) throw unsupportedServerFailure(level, serverVersion(settings));
  ports.setLevel(level);
  const snapshot = await request.run((signal) => ports.register(level, signal));
  const {queue_id, last_event_id} = snapshot;
  if (queue_id === null) throw noQueueFailure();
  return {settings, level, snapshot, queue: new EventQueue(ports.clock, {queue_id, last_event_id})};
}
