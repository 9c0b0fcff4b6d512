import {isApiFailure, LoginFailure, PermanentFailure} from '#api/failure.ts';
import type {StateEvent} from '#state/local-events.ts';
import type {AccountState, ServerInfo} from '#state/state.ts';
import type {Clock} from '#std/clock.ts';
import type {DecodeIssue} from '#wire/decode-tolerantly.ts';
import {decodeEvent, type ServerEvent, type UnknownServerEvent} from '#wire/events.ts';
import {minimumLevel, releaseWith} from '#wire/levels.ts';
import {featureLevel, type ServerSettings, serverVersion} from '#wire/objects/server-settings.ts';
import {roles} from '#wire/objects/user.ts';
import type {Snapshot} from '#wire/register.ts';
import {InterruptedError, type InterruptReason, type UpdateMachinePorts} from './update-machine-ports.ts';

/** Runs one request at a time, which can be interrupted for a reason. */
export class InterruptibleRequest {
  readonly #clock: Clock;
  #controller: AbortController | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isInFlight(): boolean {
    return this.#controller !== undefined;
  }

  /**
   * Rejects with `InterruptedError` when the request was interrupted or took longer than allowed, even if the
   * response arrived after all.
   */
  async run<T>(call: (signal: AbortSignal) => Promise<T>, limitMs?: number): Promise<T> {
    const controller = new AbortController();
    this.#controller = controller;
    const onTimeout = () => controller.abort(new InterruptedError('timeout'));
    const cancel = limitMs === undefined ? () => {} : this.#clock.after(limitMs, onTimeout);
    try {
      const response = await call(controller.signal);
      controller.signal.throwIfAborted();
      return response;
    } catch (error) {
      throw controller.signal.aborted ? controller.signal.reason : error;
    } finally {
      cancel();
      this.#controller = undefined;
    }
  }

  interrupt(reason: InterruptReason): void {
    this.#controller?.abort(new InterruptedError(reason));
  }
}

/**
 * The reason for waiting: `brief` may be cut short at any good moment, `required` was asked for by the server
 * or protects it, `parked` lasts until the user acts.
 */
export type PauseKind = 'brief' | 'required' | 'parked';

/** A wait that can be cut short. Only one at a time. */
export class Pause {
  readonly #clock: Clock;
  #end: (() => void) | undefined;
  #kind: PauseKind | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get kind(): PauseKind | undefined {
    return this.#kind;
  }

  /** Waits for `ms`, or until `end` when there is no time. */
  wait(kind: PauseKind, ms?: number): Promise<void> {
    this.end();
    return new Promise((resolve) => {
      const end = () => {
        this.#end = undefined;
        this.#kind = undefined;
        cancel();
        resolve();
      };
      const cancel = ms === undefined ? () => {} : this.#clock.after(ms, end);
      this.#end = end;
      this.#kind = kind;
    });
  }

  end(): void {
    this.#end?.();
  }
}

const tickMs = 10_000;
/** More than a busy machine loses between two ticks. */
const jumpMs = 20_000;

/** Calls `onJump` when the wall clock advanced without us: the machine slept, or the process was suspended. */
export function watchClock(clock: Clock, onJump: (aheadMs: number) => void): () => void {
  let before = clock.now();
  let cancel = clock.after(tickMs, tick);
  function tick(): void {
    const now = clock.now();
    const aheadMs = now - before - tickMs;
    before = now;
    cancel = clock.after(tickMs, tick);
    if (aheadMs > jumpMs) onJump(aheadMs);
  }
  return () => cancel();
}

const deleteTimeoutMs = 1000;

/** The event queue of a registration: how far it was read, and when to replace it. */
export class EventQueue {
  readonly id: string;
  lastEventId: number;
  readonly #clock: Clock;
  readonly #registeredAt: number;
  #cancelRenewal: (() => void) | undefined;

  constructor(clock: Clock, snapshot: {readonly queue_id: string; readonly last_event_id: number}) {
    this.id = snapshot.queue_id;
    this.lastEventId = snapshot.last_event_id;
    this.#clock = clock;
    this.#registeredAt = clock.monotonic();
  }

  get ageMs(): number {
    return this.#clock.monotonic() - this.#registeredAt;
  }

  /** Schedules the renewal; only the first call counts. */
  scheduleRenewal(ms: number, renew: () => void): void {
    this.#cancelRenewal ??= this.#clock.after(ms, renew);
  }

  cancelRenewal(): void {
    this.#cancelRenewal?.();
  }

  /** Deletes the queue if the server responds within a second; otherwise the server expires it. */
  async deleteOnServer(remove: (queueId: string, signal: AbortSignal) => Promise<unknown>): Promise<void> {
    this.cancelRenewal();
    const controller = new AbortController();
    const cancel = this.#clock.after(deleteTimeoutMs, () => controller.abort(new InterruptedError('timeout')));
    await remove(this.id, controller.signal).catch(() => {});
    cancel();
  }
}

/** The event queue, for the connection screen. Without an id there is none. */
export interface QueueStatus {
  readonly id?: string;
  readonly lastEventId?: number;
  readonly ageMs?: number;
  /** When the server last answered a poll or a registration. */
  readonly lastResponseAt: number | undefined;
}

/** The time limit of a poll: servers send a heartbeat every 45 to 55 seconds. */
const usualTimeoutMs = 65_000;
/** The client timeout that servers with these heartbeats recommend. */
const usualTimeoutSeconds = 90;
/** The network's share of a longer recommended timeout. */
const slackMs = 5000;

/** Returns the time limit of a poll. A server that recommends an unusually long timeout has slower heartbeats. */
export function pollTimeoutMs(server: Pick<ServerInfo, 'eventQueueLongpollTimeoutSeconds'>): number {
  const seconds = server.eventQueueLongpollTimeoutSeconds ?? usualTimeoutSeconds;
  return seconds <= usualTimeoutSeconds ? usualTimeoutMs : Math.min(seconds, 600) * 1000 + slackMs;
}

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

/**
 * Adds the time of receipt, in milliseconds, to the events that need it: appliers have no clock. Every event
 * from a queue passes through here on its way to the cache.
 */
export function withReceiptTime(event: ServerEvent, now: number): StateEvent {
  return event.type === 'typing' || event.type === 'typing_edit_message'
    ? {type: 'typing_received', event, now}
    : event;
}

/** The maximum number of distinct log lines about unreadable events. */
const maxLoggedKinds = 1000;
/** More arguments than this may overflow the stack. */
const maxCommitSize = 10_000;

/** Applies the events of a poll to the cache, and logs each kind of unreadable event once. */
export class EventBatchApplier {
  readonly #ports: Pick<UpdateMachinePorts, 'cache' | 'clock' | 'onEvents' | 'log'>;
  readonly #logged = new Set<string>();

  constructor(ports: Pick<UpdateMachinePorts, 'cache' | 'clock' | 'onEvents' | 'log'>) {
    this.#ports = ports;
  }

  apply({events, unknown, issues}: EventBatch): void {
    const {cache, clock} = this.#ports;
    for (const event of unknown) this.#logOnce(`Ignored an event: ${describeUnknownEvent(event)}`);
    for (const {path, reason} of issues) this.#logOnce(`Left out of an event: ${path}: ${reason}`);
    for (let start = 0; start < events.length; start += maxCommitSize) {
      const batch = events.slice(start, start + maxCommitSize);
      cache.apply(...batch.map((event) => withReceiptTime(event, clock.monotonic())));
    }
    if (events.length > 0) this.#ports.onEvents(events);
  }

  #logOnce(line: string): void {
    const kind = line.replaceAll(/\d+/g, '');
    if (this.#logged.has(kind) || this.#logged.size >= maxLoggedKinds) return;
    this.#logged.add(kind);
    this.#ports.log(line);
  }
}

interface EventBatch {
  /** New events, in order. */
  readonly events: readonly ServerEvent[];
  readonly unknown: readonly UnknownServerEvent[];
  /** The parts of events that were dropped because they are malformed. */
  readonly issues: readonly DecodeIssue[];
  /** The id that acknowledges the whole batch. */
  readonly lastEventId: number;
}

/**
 * Decodes the new events of a response: servers repeat events that were not acknowledged. Unreadable events
 * count as acknowledged.
 */
export function decodeEventBatch(raw: readonly unknown[], lastEventId: number): EventBatch {
  const events: ServerEvent[] = [];
  const unknown: UnknownServerEvent[] = [];
  const issues: DecodeIssue[] = [];
  let last = lastEventId;
  for (const rawEvent of raw) {
    const event = decodeEvent(rawEvent, ({path, reason}) => issues.push({path: `${typeOf(rawEvent)}.${path}`, reason}));
    if (event.id <= last) continue;
    last = event.id;
    if (event.type === 'unknown') unknown.push(event);
    else events.push(event);
  }
  return {events, unknown, issues, lastEventId: last};
}

/** Describes an event for the log: its type, and what is wrong with it. */
function describeUnknownEvent({original, reason}: UnknownServerEvent): string {
  const name = typeOf(original);
  return reason === undefined ? name : `${name}, ${reason}`;
}

function typeOf(raw: unknown): string {
  const {type, op} = (typeof raw === 'object' && raw !== null ? raw : {}) as Record<string, unknown>;
  return [type, op].filter((part) => typeof part === 'string').join('/') || 'without a type';
}
