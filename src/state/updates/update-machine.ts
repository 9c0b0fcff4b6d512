import {type ApiFailure, failureMessage, isApiFailure} from '#api/failure.ts';
import type {LocalEvent} from '#state/local-events.ts';
import type {ConnectionStatus, ServerBusyResponse} from '#state/model/connection.ts';
import type {AccountState} from '#state/state.ts';
import {EventBatchApplier} from '#state/updates/event-batch.ts';
import {Backoff} from '#std/backoff.ts';
import type {ServerEvent} from '#wire/events.ts';
import {watchClock} from './clock-watch.ts';
import {decodeEventBatch} from './event-batch.ts';
import type {EventQueue} from './event-queue.ts';
import {organizationDeactivatedFailure} from './failures.ts';
import {InterruptibleRequest} from './interruptible-request.ts';
import {OutageReporter} from './outage-reporter.ts';
import {Pause, type PauseKind} from './pause.ts';
import {Readiness} from './readiness.ts';
import {registerWithServer} from './register-with-server.ts';
import {
  InterruptedError,
  type InterruptReason,
  type UpdateMachinePorts,
  type WakeReason,
} from './update-machine-ports.ts';

/** A server that holds a poll promises a sign of life within its timeout; the rest is the way there and back. */
const pollSlackMs = 5000;
/** For the answer to a question that need not wait for anything. */
const probeMs = 15_000;
/** For what the first picture of a new state should show. */
const prepareMs = 5000;
/** With heartbeats each 45 to 55 seconds, a longer silence is doubtful. */
const doubtfulMs = 60_000;
/** A queue that dies younger than this was of no use: the next registration waits. */
const youngMs = 10_000;
/** Registrations that last this long are in order, whatever came before. */
const steadyMs = 300_000;
/** After a restart with another level, clients come back spread over this time. */
const renewalMs = 300_000;

type UpdateStep = 'register' | 'poll';

/**
 * Keeps the cache in step with the server: settings → register → poll, again and again, until stopped.
 *
 * One loop, so there are never two polls; each turn takes one step, and every failure says how the next turn comes about.
 */
export class UpdateMachine {
  readonly #ports: UpdateMachinePorts;
  readonly #trouble: OutageReporter;
  readonly #pause: Pause;
  readonly #request: InterruptibleRequest;
  readonly #readiness = new Readiness();
  /** Between attempts while the server cannot be reached. */
  readonly #backoff: Backoff;
  /** Between registrations of which none lasts. */
  readonly #renewals: Backoff;
  /** Between polls that are answered at once and bring nothing. */
  readonly #hollow: Backoff;
  readonly #intake: EventBatchApplier;
  #queue: EventQueue | undefined;
  #isStarted = false;
  #isStopped = false;
  #wasOnline = false;
  /** The next poll asks for an answer at once: whether the server is there must not take a whole long poll to learn. */
  #isProbing = false;
  #hollowPolls = 0;
  #heardAt = 0;
  #stopWatching = () => {};

  constructor(ports: UpdateMachinePorts) {
    const {clock, random, cache} = ports;
    this.#ports = ports;
    this.#intake = new EventBatchApplier(ports);
    this.#pause = new Pause(clock);
    this.#request = new InterruptibleRequest(clock);
    this.#backoff = new Backoff(random);
    this.#renewals = new Backoff(random, {capMs: 300_000});
    this.#hollow = new Backoff(random, {capMs: 10_000});
    this.#trouble = new OutageReporter({
      clock,
      status: () => cache.state.connection,
      publish: (connection) => this.#publish(connection),
    });
  }

  get queueId(): string | undefined {
    return this.#queue?.id;
  }

  /** Resolves with the first registration; rejects with what only the user can do something about. */
  ready(): Promise<void> {
    return this.#readiness.promise;
  }

  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.#stopWatching = watchClock(this.#ports.clock, (aheadMs) => {
      this.#ports.log(`The clock ran ${Math.round(aheadMs / 1000)} s ahead; asking the server anew`);
      this.#retryNow('jump');
    });
    void this.#run();
  }

  /** Tries again now, if that can do any good. */
  wake(reason: WakeReason): void {
    if (reason === 'manual' || reason === 'signedIn') {
      if (this.#pause.kind === 'parked') this.#readiness.renew();
      this.#retryNow('wake');
    } else if (reason === 'unwelcome') {
      this.#askWhetherWelcome();
    } else if (this.#pause.kind === undefined || this.#pause.kind === 'brief') {
      const isSilent = this.#ports.clock.now() - this.#heardAt > doubtfulMs && !this.#isProbing;
      const isDoubtful = reason === 'resumed' || (reason === 'unanswered' && !this.#isProbing);
      this.#retryNow(isDoubtful || (isSilent && this.#queue !== undefined) ? 'wake' : undefined);
    }
  }

  /** The queue is given up if that is quickly done; otherwise the server forgets it by itself. */
  async stop(): Promise<void> {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#stopWatching();
    this.#trouble.outageEnded();
    this.#request.interrupt('stop');
    this.#pause.end();
    this.#publish({phase: 'stopped'});
    this.#readiness.fail(new InterruptedError('stop'));
    await this.#giveUpQueue();
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      const queue = this.#queue;
      this.#trouble.retryStarted();
      try {
        await (queue === undefined ? this.#register() : this.#poll(queue));
      } catch (error) {
        if (this.#isStopped) return;
        await this.#recover(queue === undefined ? 'register' : 'poll', error);
      }
    }
  }

  // What is done

  async #register(): Promise<void> {
    const ports = this.#ports;
    const {snapshot, settings, level, queue} = await registerWithServer(ports, this.#request);
    this.#queue = queue;
    const state = ports.stateFromSnapshot(snapshot, settings);
    ports.setLevel(state.server.level || level);
    const more = await this.#prepare(state);
    ports.cache.apply(
      {type: 'state_replaced', state},
      {type: 'connection_changed', connection: {phase: 'online'}},
      ...more(),
    );
    const isFirst = !this.#wasOnline;
    this.#wasOnline = true;
    this.#isProbing = false;
    this.#heard();
    ports.onRegistered(isFirst);
    this.#readiness.succeed();
  }

  /** A slow or lost answer is no reason to go without the rest. */
  async #prepare(state: AccountState): Promise<() => readonly LocalEvent[]> {
    try {
      return await this.#request.run((signal) => this.#ports.prepare(state, signal), prepareMs);
    } catch (error) {
      if (this.#isStopped) throw error;
      return () => [];
    }
  }

  async #poll(queue: EventQueue): Promise<void> {
    const dontBlock = this.#isProbing;
    const timeoutMs = dontBlock ? probeMs : this.#pollMs();
    const question = {queueId: queue.id, lastEventId: queue.lastEventId, dontBlock, timeoutMs};
    const answer = await this.#request.run((signal) => this.#ports.poll(question, signal), timeoutMs);
    const batch = decodeEventBatch(answer.events, queue.lastEventId);
    this.#heard();
    this.#isProbing = false;
    // All of a batch is applied before any of it is acknowledged.
    this.#intake.apply(batch);
    queue.lastEventId = batch.lastEventId;
    for (const event of batch.events) this.#heed(queue, event);
    if (dontBlock || queue.lastEventId > question.lastEventId) this.#hollowPolls = 0;
    else await this.#pauseHollow();
  }

  /** Events that concern the connection itself. */
  #heed(queue: EventQueue, event: ServerEvent): void {
    if (event.type === 'realm' && event.op === 'deactivated') throw organizationDeactivatedFailure();
    if (event.type !== 'restart') return;
    const level = event.feature_level ?? event.zulip_feature_level;
    if (level === undefined || level === this.#ports.cache.state.server.level) return;
    const delayMs = event.immediate === true ? 0 : this.#ports.random() * renewalMs;
    queue.scheduleRenewal(delayMs, () => this.#renew(level));
  }

  // What can happen to it: each brings about the next turn, at once or after a wait

  async #recover(step: UpdateStep, error: unknown): Promise<void> {
    if (error instanceof InterruptedError) return this.#resume(step, error.reason);
    if (!isApiFailure(error)) return this.#startOver(error);
    if (error.kind === 'login') return this.#park('signedOut', error);
    if (error.kind === 'retry' || error.kind === 'malformed') return this.#outlast(step, error);
    if (step === 'poll') return this.#replaceQueue(failureMessage(error));
    // Before anything was heard, the address is wrong or the server unfit; later, something stands in its place for now.
    if (error.kind === 'permanent' && !this.#wasOnline) return this.#park('refused', error);
    return this.#outlast(step, error);
  }

  async #resume(step: UpdateStep, reason: InterruptReason): Promise<void> {
    if (reason === 'renew') {
      void this.#giveUpQueue();
    } else if (reason === 'unwelcome') {
      // One odd endpoint must not have us register for ever: each time it takes longer, until a registration lasts.
      await this.#replaceQueue('The server did not take the key of this account.', steadyMs);
    } else if (reason === 'timeout' && this.#isProbing) {
      await this.#sleep('brief', this.#backoff.next(), 'The server does not answer.');
    } else {
      if (reason === 'timeout') this.#ports.renewSockets();
      this.#isProbing = step === 'poll';
    }
  }

  async #outlast(step: UpdateStep, failure: ApiFailure): Promise<void> {
    const isTimeout = failure.kind === 'retry' && failure.reason === 'timeout';
    if (isTimeout && step === 'poll' && !this.#isProbing) return this.#resume(step, 'timeout');
    this.#isProbing = step === 'poll';
    const askedMs = failure.kind === 'retry' ? failure.retryAfterMs : undefined;
    const ms = Math.max(this.#backoff.next(), askedMs ?? 0);
    return this.#sleep(
      askedMs === undefined ? 'brief' : 'owed',
      ms,
      failureMessage(failure),
      answerOf(failure),
    );
  }

  /** The queue is gone: the next one may be had at once, unless losing queues is all this server does. */
  async #replaceQueue(problem: string, usefulMs = youngMs): Promise<void> {
    this.#ports.log(`The event queue is lost; registering again: ${problem}`);
    const queue = this.#forgetQueue();
    if (queue !== undefined && queue.ageMs < usefulMs)
      await this.#sleep('owed', this.#renewals.next(), problem);
  }

  /** An applier threw: what is known is no longer what the server means, so all of it is asked for again. */
  async #startOver(error: unknown): Promise<void> {
    this.#ports.log('What the server sent could not be applied; registering again', error);
    void this.#giveUpQueue();
    const problem = 'Parley could not make sense of what the server sent, and starts over.';
    await this.#sleep('owed', this.#renewals.next(), problem);
  }

  async #park(phase: 'signedOut' | 'refused', failure: ApiFailure): Promise<void> {
    this.#trouble.outageEnded();
    this.#forgetQueue();
    this.#publish({phase, problem: failureMessage(failure)});
    this.#readiness.fail(failure);
    await this.#pause.wait('parked');
  }

  // Its means

  #retryNow(interruption: 'jump' | 'wake' | undefined): void {
    this.#backoff.reset();
    if (interruption !== undefined) {
      this.#ports.renewSockets();
      this.#request.interrupt(interruption);
    }
    if (interruption !== 'jump' || this.#pause.kind !== 'parked') this.#pause.end();
  }

  /**
   * A poll that is being held says nothing about the key until its time is up, and what was told to log in waits for a
   * registration: so that is what is asked for.
   */
  #askWhetherWelcome(): void {
    if (this.#queue === undefined) return;
    if (this.#request.isInFlight) this.#request.interrupt('unwelcome');
    else void this.#giveUpQueue();
  }

  #renew(level: number): void {
    this.#ports.log(`The server is now at feature level ${level}; registering again`);
    if (this.#request.isInFlight) this.#request.interrupt('renew');
    else void this.#giveUpQueue();
  }

  #heard(): void {
    this.#heardAt = this.#ports.clock.now();
    this.#backoff.reset();
    this.#trouble.outageEnded();
    if (this.#ports.cache.state.connection.phase !== 'online') this.#publish({phase: 'online'});
  }

  /** Something answers polls with nothing, without waiting. Once is normal; for ever would be a spin. */
  async #pauseHollow(): Promise<void> {
    this.#hollowPolls += 1;
    if (this.#hollowPolls === 1) this.#hollow.reset();
    else await this.#pause.wait('brief', this.#hollow.next());
  }

  async #sleep(kind: PauseKind, ms: number, problem: string, answered?: ServerBusyResponse): Promise<void> {
    this.#trouble.addFailure({problem, retryAt: this.#ports.clock.now() + ms, answered});
    await this.#pause.wait(kind, ms);
  }

  #pollMs(): number {
    const seconds = this.#ports.cache.state.server.eventQueueLongpollTimeoutSeconds ?? 90;
    return Math.min(Math.max(seconds, 30), 600) * 1000 + pollSlackMs;
  }

  #forgetQueue(): EventQueue | undefined {
    const queue = this.#queue;
    this.#queue = undefined;
    if (queue !== undefined && queue.ageMs >= steadyMs) this.#renewals.reset();
    queue?.cancelRenewal();
    return queue;
  }

  async #giveUpQueue(): Promise<void> {
    await this.#forgetQueue()?.deleteOnServer((id, signal) => this.#ports.deleteQueue(id, signal));
  }

  #publish(connection: ConnectionStatus): void {
    this.#ports.cache.apply({type: 'connection_changed', connection});
  }
}

/** Whether the server, or what stands before it, was heard at all. */
function answerOf(failure: ApiFailure): ServerBusyResponse | undefined {
  if (failure.kind !== 'retry' || failure.reason === 'network' || failure.reason === 'timeout')
    return undefined;
  return failure.retryAfterMs === undefined ? 'busy' : 'wait';
}
