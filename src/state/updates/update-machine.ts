import type {LocalEvent} from '#state/local-events.ts';
import type {ServerBusyResponse} from '#state/model/connection.ts';
import type {AccountState} from '#state/state.ts';
import {Backoff} from '#std/backoff.ts';
import type {ServerEvent} from '#wire/events.ts';
import {type ApiFailure, failureMessage, isApiFailure, isFromElsewhere, type LoginFailure} from '#wire/failure.ts';
import {busyResponse, ConnectionReporter} from './connection-reporter.ts';
import {decodeEventBatch, EventBatchApplier} from './event-batch.ts';
import {type EventQueue, pollTimeoutMs, type QueueStatus} from './event-queue.ts';
import {InterruptibleRequest} from './interruptible-request.ts';
import {Pause, type PauseKind} from './pause.ts';
import {isInconsistent, organizationDeactivatedFailure, registerWithServer} from './registration.ts';
import {
  InterruptedError,
  type InterruptReason,
  type UpdateMachinePorts,
  type WakeReason,
} from './update-machine-ports.ts';
import {watchClock} from './watch-clock.ts';

/** The time limit of a poll that does not block. */
const probeTimeoutMs = 15_000;
/** The time limit for fetching what the first frame of a new state shows. */
const prepareTimeoutMs = 5000;
/** With heartbeats every 45 to 55 seconds, a longer silence is suspicious. */
const suspiciousSilenceMs = 60_000;
/** A queue that dies younger than this was of no use: the next registration waits. */
const minQueueAgeMs = 10_000;
/** A registration that lasts this long resets the delay between registrations. */
const stableQueueAgeMs = 300_000;
/** The pauses between attempts while the server refuses the credentials, or cannot be connected to. */
const parkedBackoff = {firstMs: 5000, capMs: 300_000};
/** The account is refused for a reason that a new API key does not change. */
const deactivatedCodes: ReadonlySet<string> = new Set(['USER_DEACTIVATED', 'REALM_DEACTIVATED']);
/** After a restart with another feature level, clients register again spread over this time. */
const renewalSpreadMs = 300_000;

type UpdateStep = 'register' | 'poll';
type ParkedStatus = {readonly phase: 'signedOut'; readonly isDeactivated?: boolean} | {readonly phase: 'refused'};

/**
 * Keeps the cache up to date with the server: settings → register → poll, repeated until stopped.
 *
 * A single loop guarantees that there are never two polls. Each turn takes one step, and the handling of
 * every failure decides when the next turn begins.
 */
export class UpdateMachine {
  readonly #ports: UpdateMachinePorts;
  readonly #connection: ConnectionReporter;
  readonly #pause: Pause;
  readonly #request: InterruptibleRequest;
  #ready = newReadiness();
  #hasReadinessFailed = false;
  /** Delays attempts while the server is unreachable. */
  readonly #backoff: Backoff;
  /** Delays registrations while none of them lasts. */
  readonly #registrationBackoff: Backoff;
  /** Delays polls that return at once without events. */
  readonly #emptyPollBackoff: Backoff;
  /** Delays attempts while the server refuses the credentials. */
  readonly #parkedBackoff: Backoff;
  readonly #batchApplier: EventBatchApplier;
  #queue: EventQueue | undefined;
  #isStarted = false;
  #isStopped = false;
  #wasOnline = false;
  /** True: the next poll does not block, so that learning whether the server is up does not take a whole long poll. */
  #isProbing = false;
  #emptyPolls = 0;
  #lastResponseAt = 0;
  #stopClockWatch = () => {};

  constructor(ports: UpdateMachinePorts) {
    const {clock, random} = ports;
    this.#ports = ports;
    this.#batchApplier = new EventBatchApplier(ports);
    this.#pause = new Pause(clock);
    this.#request = new InterruptibleRequest(clock);
    this.#backoff = new Backoff(random);
    this.#registrationBackoff = new Backoff(random, {capMs: 300_000});
    this.#emptyPollBackoff = new Backoff(random, {capMs: 10_000});
    this.#parkedBackoff = new Backoff(random, parkedBackoff);
    this.#connection = new ConnectionReporter(ports);
  }

  get queueId(): string | undefined {
    return this.#queue?.id;
  }

  get queueStatus(): QueueStatus {
    const queue = this.#queue;
    const lastResponseAt = this.#lastResponseAt === 0 ? undefined : this.#lastResponseAt;
    if (queue === undefined) return {lastResponseAt};
    return {id: queue.id, lastEventId: queue.lastEventId, ageMs: queue.ageMs, lastResponseAt};
  }

  /** Resolves with the first registration; rejects with failures that only the user can resolve. */
  ready(): Promise<void> {
    return this.#ready.promise;
  }

  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.#stopClockWatch = watchClock(this.#ports.clock, (aheadMs) => {
      this.#ports.log(`The clock jumped ${Math.round(aheadMs / 1000)} s ahead; polling again`);
      this.#retryNow('jump');
    });
    void this.#run();
  }

  /** Retries now, where that may help. */
  wake(reason: WakeReason): void {
    if (reason === 'manual' || reason === 'signedIn') {
      if (this.#pause.kind === 'parked') this.#renewReadiness();
      this.#retryNow('wake');
    } else if (reason === 'loginRefused') {
      this.#testCredentials();
    } else if (reason === 'unanswered' && this.#queue === undefined) {
      // A registration in flight may take long in a large organization.
    } else if (this.#pause.kind === undefined || this.#pause.kind === 'brief') {
      // By the wall clock, because the monotonic clock stands still while the machine sleeps.
      const silenceMs = Math.abs(this.#ports.clock.now() - this.#lastResponseAt);
      const isSilent = silenceMs > suspiciousSilenceMs && !this.#isProbing;
      const mayBeDead = reason === 'resumed' || (reason === 'unanswered' && !this.#isProbing);
      this.#retryNow(mayBeDead || (isSilent && this.#queue !== undefined) ? 'wake' : undefined);
    }
  }

  /**
   * Shows since when a request has had no response, and asks the server whether it is there. Undefined: a response has
   * arrived.
   */
  noteSilence(since: number | undefined): void {
    const {status} = this.#connection;
    const before = 'silentSince' in status ? status.silentSince : undefined;
    if (since !== undefined && before === undefined) this.wake('unanswered');
    this.#connection.noteSilence(since === undefined ? undefined : Math.min(before ?? since, since));
  }

  /** Replaces the event queue and loads the account again. */
  registerAgain(reason: string): void {
    this.#ports.log(`Registering again: ${reason}`);
    if (this.#queue !== undefined && this.#request.isInFlight) this.#request.interrupt('renew');
    else {
      void this.#deleteQueue();
      this.wake('manual');
    }
  }

  /** Stops the machine and deletes the queue if that is quick; otherwise the server expires it. */
  async stop(): Promise<void> {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#stopClockWatch();
    this.#request.interrupt('stop');
    this.#pause.end();
    this.#connection.endOutage({phase: 'stopped'});
    this.#failReadiness(new InterruptedError('stop'));
    await this.#deleteQueue();
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      const queue = this.#queue;
      this.#connection.retryStarted();
      try {
        await (queue === undefined ? this.#register() : this.#poll(queue));
      } catch (error) {
        if (this.#isStopped) return;
        await this.#recover(queue === undefined ? 'register' : 'poll', error);
      }
    }
  }

  // Steps

  async #register(): Promise<void> {
    const ports = this.#ports;
    const state = await this.#registeredState();
    const preparedEvents = await this.#prepare(state);
    ports.cache.apply(
      {type: 'state_replaced', state, knownUntil: this.#knownUntil()},
      {type: 'connection_changed', connection: {phase: 'online'}},
      ...preparedEvents(),
    );
    const isFirst = !this.#wasOnline;
    this.#wasOnline = true;
    this.#isProbing = false;
    this.#parkedBackoff.reset();
    this.#noteResponse();
    ports.onRegistered(isFirst);
    this.#renewReadiness();
    this.#ready.resolve();
  }

  /** Returns the time of the last response, or of the state saved on disk. */
  #knownUntil(): number | undefined {
    const {status} = this.#connection;
    if (this.#lastResponseAt > 0) return this.#lastResponseAt;
    return 'savedAt' in status ? status.savedAt : undefined;
  }

  /** The response, which is several times as large as the state, is not needed any longer on return. */
  async #registeredState(): Promise<AccountState> {
    const ports = this.#ports;
    const {snapshot, settings, level, queue} = await registerWithServer(ports, this.#request);
    this.#queue = queue;
    if (isInconsistent(snapshot)) {
      const delayMs = this.#registrationBackoff.next();
      queue.scheduleRenewal(delayMs, () => this.registerAgain('the response did not fit the role of the user'));
    }
    const state = ports.stateFromSnapshot(snapshot, settings);
    ports.setLevel(level);
    return state;
  }

  /** A slow or failed response must not delay the registration. */
  async #prepare(state: AccountState): Promise<() => readonly LocalEvent[]> {
    try {
      return await this.#request.run((signal) => this.#ports.prepare(state, signal), prepareTimeoutMs);
    } catch (error) {
      if (this.#isStopped) throw error;
      return () => [];
    }
  }

  async #poll(queue: EventQueue): Promise<void> {
    const dontBlock = this.#isProbing;
    const timeoutMs = dontBlock ? probeTimeoutMs : pollTimeoutMs(this.#ports.cache.state.server);
    const request = {queueId: queue.id, lastEventId: queue.lastEventId, dontBlock, timeoutMs};
    const response = await this.#request.run((signal) => this.#ports.poll(request, signal), timeoutMs);
    const batch = decodeEventBatch(response.events, queue.lastEventId);
    this.#noteResponse();
    this.#isProbing = false;
    // The whole batch is applied before any of it is acknowledged.
    this.#batchApplier.apply(batch);
    queue.lastEventId = batch.lastEventId;
    for (const event of batch.events) this.#handleConnectionEvent(queue, event);
    if (dontBlock || queue.lastEventId > request.lastEventId) this.#emptyPolls = 0;
    else await this.#pauseAfterEmptyPoll();
  }

  /** Handles the events about the connection itself. */
  #handleConnectionEvent(queue: EventQueue, event: ServerEvent): void {
    if (event.type === 'realm' && event.op === 'deactivated') throw organizationDeactivatedFailure();
    if (event.type !== 'restart') return;
    const level = event.feature_level ?? event.zulip_feature_level;
    if (level === undefined || level === this.#ports.cache.state.server.level) return;
    const delayMs = event.immediate === true ? 0 : this.#ports.random() * renewalSpreadMs;
    queue.scheduleRenewal(delayMs, () => this.#renew(level));
  }

  // Failures: each handler decides when the next turn begins

  async #recover(step: UpdateStep, error: unknown): Promise<void> {
    if (error instanceof InterruptedError) return this.#afterInterrupt(step, error.reason);
    if (!isApiFailure(error)) return this.#registerAfterApplyError(error);
    if (error.kind === 'login') return this.#afterLoginFailure(step, error);
    if (error.kind === 'retry' || error.kind === 'malformed' || isFromElsewhere(error))
      return this.#retryLater(step, error);
    if (step === 'poll') return this.#replaceQueue(failureMessage(error));
    // Before the first registration, the address is wrong or the server unsupported; later, it is temporary.
    if (error.kind === 'permanent' && !this.#wasOnline) {
      // Network login pages redirect, or show their own certificate: this ends without a key.
      const ms = error.code === 'CANNOT_CONNECT' ? this.#parkedBackoff.next() : undefined;
      return this.#park({phase: 'refused'}, error, ms);
    }
    return this.#retryLater(step, error);
  }

  /**
   * A single refused poll may be a mistake of the server or a proxy: only a refused registration signs out. Later attempts
   * succeed by themselves when the account or organization is active again.
   */
  async #afterLoginFailure(step: UpdateStep, failure: LoginFailure): Promise<void> {
    if (step === 'poll') return this.#replaceQueue(failureMessage(failure), stableQueueAgeMs);
    const status = {phase: 'signedOut', ...(deactivatedCodes.has(failure.code) && {isDeactivated: true})} as const;
    return this.#park(status, failure, this.#parkedBackoff.next());
  }

  async #afterInterrupt(step: UpdateStep, reason: InterruptReason): Promise<void> {
    if (reason === 'renew') {
      void this.#deleteQueue();
    } else if (reason === 'loginRefused') {
      // A single faulty endpoint must not cause endless registrations: the delay grows until a registration lasts.
      await this.#replaceQueue('The server refused the API key of this account.', stableQueueAgeMs);
    } else if (reason === 'timeout' && this.#isProbing) {
      await this.#sleep('brief', this.#backoff.next(), 'The server does not respond.');
    } else {
      if (reason === 'timeout') {
        this.#ports.renewSockets();
        const {clock} = this.#ports;
        this.#connection.noteSilence(clock.monotonic() - Math.max(0, clock.now() - this.#lastResponseAt));
      }
      this.#isProbing = step === 'poll';
    }
  }

  async #retryLater(step: UpdateStep, failure: ApiFailure): Promise<void> {
    const isTimeout = failure.kind === 'retry' && failure.reason === 'timeout';
    if (isTimeout && step === 'poll' && !this.#isProbing) return this.#afterInterrupt(step, 'timeout');
    this.#isProbing = step === 'poll';
    const retryAfterMs = failure.kind === 'retry' ? failure.retryAfterMs : undefined;
    const ms = Math.max(this.#backoff.next(), retryAfterMs ?? 0);
    return this.#sleep(
      retryAfterMs === undefined ? 'brief' : 'required',
      ms,
      failureMessage(failure),
      busyResponse(failure),
    );
  }

  /** Registers again at once, unless this server keeps losing young queues. */
  async #replaceQueue(problem: string, minAgeMs = minQueueAgeMs): Promise<void> {
    this.#ports.log(`The event queue is lost; registering again: ${problem}`);
    const queue = this.#forgetQueue();
    if (queue !== undefined && queue.ageMs < minAgeMs)
      await this.#sleep('required', this.#registrationBackoff.next(), problem);
  }

  /** Registers again because an applier threw: the state may no longer match the server. */
  async #registerAfterApplyError(error: unknown): Promise<void> {
    this.#ports.log('An event could not be applied; registering again', error);
    void this.#deleteQueue();
    const problem = 'Parley could not read a server event and reloads the account.';
    await this.#sleep('required', this.#registrationBackoff.next(), problem);
  }

  /** Waits for the user, or for `ms`. */
  async #park(status: ParkedStatus, failure: ApiFailure, ms?: number): Promise<void> {
    this.#forgetQueue();
    this.#connection.endOutage({...status, problem: failureMessage(failure)});
    this.#failReadiness(failure);
    await this.#pause.wait('parked', ms);
  }

  // Helpers

  #failReadiness(reason: unknown): void {
    this.#hasReadinessFailed ||= !this.#wasOnline;
    this.#ready.reject(reason);
  }

  /** Starts a new promise after a failure. */
  #renewReadiness(): void {
    if (this.#hasReadinessFailed) this.#ready = newReadiness();
    this.#hasReadinessFailed = false;
  }

  #retryNow(interruption: 'jump' | 'wake' | undefined): void {
    this.#backoff.reset();
    if (interruption !== undefined) {
      this.#ports.renewSockets();
      this.#request.interrupt(interruption);
    }
    if (interruption !== 'jump' || this.#pause.kind !== 'parked') this.#pause.end();
  }

  /**
   * Registers again to test the credentials after another request got a login failure: a blocked poll would
   * not notice until its timeout, and the failed request waits for a registration.
   */
  #testCredentials(): void {
    if (this.#queue === undefined) return;
    if (this.#request.isInFlight) this.#request.interrupt('loginRefused');
    else void this.#deleteQueue();
  }

  #renew(level: number): void {
    this.#ports.log(`The server is now at feature level ${level}; registering again`);
    if (this.#request.isInFlight) this.#request.interrupt('renew');
    else void this.#deleteQueue();
  }

  #noteResponse(): void {
    this.#lastResponseAt = this.#ports.clock.now();
    this.#backoff.reset();
    this.#connection.noteResponse();
  }

  /** Waits after a second empty poll that did not block: once is normal, repeatedly it would be a busy loop. */
  async #pauseAfterEmptyPoll(): Promise<void> {
    this.#emptyPolls += 1;
    if (this.#emptyPolls === 1) this.#emptyPollBackoff.reset();
    else await this.#pause.wait('brief', this.#emptyPollBackoff.next());
  }

  async #sleep(kind: PauseKind, ms: number, problem: string, answered?: ServerBusyResponse): Promise<void> {
    this.#connection.addFailure({problem, retryAt: this.#ports.clock.monotonic() + ms, answered});
    await this.#pause.wait(kind, ms);
  }

  #forgetQueue(): EventQueue | undefined {
    const queue = this.#queue;
    this.#queue = undefined;
    if (queue !== undefined && queue.ageMs >= stableQueueAgeMs) this.#registrationBackoff.reset();
    queue?.cancelRenewal();
    return queue;
  }

  async #deleteQueue(): Promise<void> {
    await this.#forgetQueue()?.deleteOnServer((id, signal) => this.#ports.deleteQueue(id, signal));
  }
}

function newReadiness(): PromiseWithResolvers<void> {
  const ready = Promise.withResolvers<void>();
  // A rejection that is not awaited must not end the process.
  ready.promise.catch(() => {});
  return ready;
}
