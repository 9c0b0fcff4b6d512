import {onTestFinished} from 'vitest';
import type {LocalEvent, StateEvent} from '#state/local-events.ts';
import type {ConnectionStatus} from '#state/model/connection.ts';
import type {AccountState} from '#state/state.ts';
import {UpdateMachine} from '#state/updates/update-machine.ts';
import type {PollRequest, UpdateMachinePorts} from '#state/updates/update-machine-ports.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import * as eg from '#test/support/state-builders.ts';
import {LoginFailure, MalformedFailure, PermanentFailure, RegisterFailure, RetryFailure} from '#wire/failure.ts';
import type {ServerSettings} from '#wire/objects/server-settings.ts';
import type {Snapshot} from '#wire/register.ts';

/** A request of the machine that the test answers. */
class PendingRequest<Q, A> {
  readonly request: Q;
  readonly promise: Promise<A>;
  isAborted = false;
  answer: (answer: A) => void = () => {};
  fail: (failure: unknown) => void = () => {};

  constructor(question: Q, signal: AbortSignal) {
    this.request = question;
    this.promise = new Promise((resolve, reject) => {
      this.answer = resolve;
      this.fail = reject;
      signal.addEventListener('abort', () => {
        this.isAborted = true;
        reject(signal.reason);
      });
    });
  }
}

/** Runs all due tasks without advancing time. */
export function flushPromises(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** A clock that can jump ahead of its timers, as after the machine slept. */
class SleepyClock extends ManualClock {
  #missed = 0;

  override now(): number {
    return super.now() + this.#missed;
  }

  miss(ms: number): void {
    this.#missed += ms;
  }
}

/** The machine with a server, a cache and a clock that the test controls. */
export class UpdateMachineFixture {
  readonly clock = new SleepyClock();
  readonly requests: string[] = [];
  readonly settings: PendingRequest<undefined, ServerSettings>[] = [];
  readonly registrations: PendingRequest<number, Snapshot>[] = [];
  readonly polls: PendingRequest<PollRequest, {events: unknown[]}>[] = [];
  readonly deletions: PendingRequest<string, unknown>[] = [];
  readonly logged: string[] = [];
  readonly commits: StateEvent['type'][][] = [];
  readonly statuses: ConnectionStatus[] = [];
  readonly registered: boolean[] = [];
  readonly batches: string[][] = [];
  socketsRenewed = 0;
  level: number | undefined;
  /** The events that are prepared for the first frame of a registration. */
  extra: readonly LocalEvent[] = [];
  /** The type of event whose applier throws. */
  brokenEventType: string | undefined;
  /** The value that every random number has. */
  randomValue = 1;
  state: AccountState = eg.state();
  readonly machine = new UpdateMachine(this.#ports());

  constructor() {
    onTestFinished(() => {
      void this.machine.stop();
      for (const deletion of this.deletions) deletion.answer(undefined);
    });
  }

  get status(): ConnectionStatus {
    return this.state.connection;
  }

  get poll(): PendingRequest<PollRequest, {events: unknown[]}> {
    return newest(this.polls);
  }

  get registration(): PendingRequest<number, Snapshot> {
    return newest(this.registrations);
  }

  get setting(): PendingRequest<undefined, ServerSettings> {
    return newest(this.settings);
  }

  async advance(ms: number): Promise<void> {
    this.clock.advance(ms);
    await flushPromises();
  }

  /** Completes the start: settings with this level, registration with this queue. */
  async online(queueId = 'q1', level = 509): Promise<void> {
    this.machine.start();
    await flushPromises();
    await this.answerRegistration(queueId, level);
  }

  /** Answers the two requests of a registration. */
  async answerRegistration(queueId: string, level = 509): Promise<void> {
    this.setting.answer({feature_level: level});
    await flushPromises();
    this.registration.answer(snapshot(queueId, level));
    await flushPromises();
  }

  async deliver(...events: unknown[]): Promise<void> {
    this.poll.answer({events});
    await flushPromises();
  }

  async failPoll(failure: unknown): Promise<void> {
    this.poll.fail(failure);
    await flushPromises();
  }

  #ports(): UpdateMachinePorts {
    const fixture = this;
    const ask = <Q, A>(line: string, list: PendingRequest<Q, A>[], question: Q, signal: AbortSignal) => {
      fixture.requests.push(line);
      const pending = new PendingRequest<Q, A>(question, signal);
      list.push(pending);
      return pending.promise;
    };
    return {
      clock: this.clock,
      random: () => this.randomValue,
      log: (line) => this.logged.push(line),
      cache: {
        get state() {
          return fixture.state;
        },
        apply: (...events) => this.#apply(events),
      },
      serverSettings: (signal) => ask('settings', this.settings, undefined, signal),
      setLevel: (level) => {
        this.level = level;
      },
      register: (level, signal) => ask('register', this.registrations, level, signal),
      stateFromSnapshot: ({feature_level}) => {
        const {server} = eg.state();
        return eg.state({server: {...server, level: feature_level ?? 0}, connection: this.status});
      },
      prepare: async () => () => this.extra,
      poll: (question, signal) =>
        ask(`${question.dontBlock ? 'probe' : 'poll'} ${question.lastEventId}`, this.polls, question, signal),
      deleteQueue: (queueId, signal) => ask(`delete ${queueId}`, this.deletions, queueId, signal),
      onEvents: (events) => this.batches.push(events.map(({type}) => type)),
      renewSockets: () => {
        this.socketsRenewed += 1;
      },
      onRegistered: (isFirst) => this.registered.push(isFirst),
    };
  }

  #apply(events: readonly StateEvent[]): void {
    if (events.some(({type}) => type === this.brokenEventType))
      throw new Error(`no applier survives ${this.brokenEventType}`);
    this.commits.push(events.map(({type}) => type));
    for (const event of events) {
      if (event.type === 'state_replaced') this.state = event.state;
      if (event.type !== 'connection_changed') continue;
      this.state = {...this.state, connection: event.connection};
      this.statuses.push(event.connection);
    }
  }
}

function newest<T>(list: readonly T[]): T {
  const last = list.at(-1);
  if (last === undefined) throw new Error('nothing was asked');
  return last;
}

export function snapshot(queueId: string, level = 509): Snapshot {
  return {queue_id: queueId, last_event_id: -1, feature_level: level};
}

export const buildHeartbeat = (id: number) => ({id, type: 'heartbeat'});
export const buildAlertWordsEvent = (id: number) => ({id, type: 'alert_words', alert_words: ['tea']});

const ofPoll = {endpoint: 'queue.poll', carriedOut: 'no'} as const;

export function unreachableFailure(): RetryFailure {
  return new RetryFailure('The server cannot be reached.', {...ofPoll, reason: 'network'});
}

export function timeoutFailure(): RetryFailure {
  return new RetryFailure('No answer in time.', {...ofPoll, reason: 'timeout'});
}

export function busyFailure(retryAfterMs: number): RetryFailure {
  return new RetryFailure('The server is busy.', {...ofPoll, reason: 'rateLimit', retryAfterMs});
}

export function queueGoneFailure(): RegisterFailure {
  return new RegisterFailure('The queue is gone.', ofPoll);
}

export function wrongKeyFailure(): LoginFailure {
  return new LoginFailure('The key is not valid.', {...ofPoll, code: 'UNAUTHORIZED'});
}

export function deactivatedFailure(code = 'USER_DEACTIVATED'): LoginFailure {
  return new LoginFailure('Account is deactivated.', {...ofPoll, code});
}

export function refusalFailure(): PermanentFailure {
  return new PermanentFailure('No such thing.', {...ofPoll, status: 400, code: 'BAD_REQUEST'});
}

export function webPageFailure(): PermanentFailure {
  return new PermanentFailure('Received a web page.', {...ofPoll, status: 403, code: 'NOT_ZULIP'});
}

export function redirectFailure(): PermanentFailure {
  const text = 'chat.example redirects to http://portal.example.';
  return new PermanentFailure(text, {...ofPoll, code: 'CANNOT_CONNECT'});
}

export function unreadableFailure(): MalformedFailure {
  return new MalformedFailure('The answer is cut off.', ofPoll);
}
