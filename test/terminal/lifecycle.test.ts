import {EventEmitter} from 'node:events';
import {expect, test} from 'vitest';
import {type EndReason, type LifecycleParts, TerminalLifecycle} from '#terminal/lifecycle.ts';
import {ManualClock} from '#test/support/manual-clock.ts';

class FakeHost extends EventEmitter {
  readonly pid = 77;
  readonly log: string[];

  constructor(log: string[]) {
    super();
    this.log = log;
  }

  kill(pid: number, signal: string): void {
    this.log.push(`kill ${pid} ${signal} (${this.listenerCount('SIGTSTP')} listen)`);
  }

  exit(code: number): void {
    this.log.push(`exit ${code}`);
  }
}

function stage(parts: Partial<LifecycleParts> = {}) {
  const log: string[] = [];
  const host = new FakeHost(log);
  const clock = new ManualClock();
  const lifecycle = new TerminalLifecycle({
    host,
    clock,
    writeNow: (text) => log.push(text),
    setRawMode: (isRaw) => log.push(isRaw ? 'raw' : 'cooked'),
    enter: () => 'enter',
    leave: () => 'leave',
    onLeave: () => log.push('rest'),
    onEnter: () => log.push('draw'),
    onEnd: ({kind}) => {
      log.push(`save (${kind})`);
    },
    afterEnd: ({kind}) => log.push(`say (${kind})`),
    ...parts,
  });
  const since = () => log.splice(0);
  return {log, host, clock, lifecycle, since};
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const taken = ['raw', 'enter', 'draw'];
const given = ['rest', 'leave', 'cooked'];

test('the terminal is taken once and given back once, however often that is said', () => {
  const {lifecycle, host, since} = stage();
  lifecycle.enter();
  lifecycle.enter();
  expect([since(), lifecycle.hasTerminal]).toEqual([taken, true]);
  lifecycle.leave();
  lifecycle.leave();
  expect([since(), lifecycle.hasTerminal]).toEqual([given, false]);
  expect(host.eventNames()).toEqual([]);
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
])('%s: what matters is saved, the terminal given back, and the code is %i', async (signal, code) => {
  const {lifecycle, host, since} = stage();
  lifecycle.enter();
  since();
  host.emit(signal, signal);
  await turn();
  expect(since()).toEqual(['save (signal)', ...given, 'say (signal)', `exit ${code}`]);
  expect(host.eventNames()).toEqual([]);
});

test.each(['uncaughtException', 'unhandledRejection'])('%s: the same, and then it is told', async (event) => {
  const {lifecycle, host, since} = stage();
  lifecycle.enter();
  since();
  host.emit(event, new Error('a defect'));
  await turn();
  expect(since()).toEqual(['save (crash)', ...given, 'say (crash)', 'exit 1']);
});

test('the end of the process gives the terminal back at once', () => {
  const {lifecycle, host, since} = stage();
  lifecycle.enter();
  since();
  host.emit('exit', 0);
  expect(since()).toEqual(given);
});

test('saving that takes long is waited for, but the reader is not kept from the shell', async () => {
  const {promise, resolve} = Promise.withResolvers<void>();
  const {lifecycle, host, since} = stage({onEnd: () => promise});
  lifecycle.enter();
  since();
  host.emit('SIGTERM', 'SIGTERM');
  await turn();
  expect(since()).toEqual(given);
  resolve();
  await turn();
  expect(since()).toEqual(['say (signal)', 'exit 143']);
});

test('saving that never ends has a second', async () => {
  const {lifecycle, host, clock, since} = stage({onEnd: () => new Promise(() => {})});
  lifecycle.enter();
  host.emit('SIGHUP', 'SIGHUP');
  clock.advance(999);
  await turn();
  expect(since()).not.toContain('exit 129');
  clock.advance(1);
  await turn();
  expect(since()).toContain('exit 129');
});

test.each([
  [
    'at once',
    () => {
      throw new Error('disk full');
    },
  ],
  ['later', () => Promise.reject(new Error('disk full'))],
])('saving that fails %s ends all the same', async (_when, onEnd) => {
  const {lifecycle, host, since} = stage({onEnd});
  lifecycle.enter();
  since();
  host.emit('SIGTERM', 'SIGTERM');
  await turn();
  expect(since()).toEqual([...given, 'say (signal)', 'exit 143']);
});

test('a second signal does not cut the saving short; a crash in it does', async () => {
  const reasons: EndReason[] = [];
  const {lifecycle, host, since} = stage({
    onEnd: () => new Promise(() => {}),
    afterEnd: (reason) => reasons.push(reason),
  });
  lifecycle.enter();
  host.emit('SIGHUP', 'SIGHUP');
  host.emit('SIGTERM', 'SIGTERM');
  await turn();
  expect(since().filter((line) => line.startsWith('exit'))).toEqual([]);
  const error = new Error('a defect');
  host.emit('uncaughtException', error);
  expect(since()).toEqual(['exit 1']);
  expect(reasons).toEqual([{kind: 'crash', error}]);
});

test('a terminal that is gone ends the program like a hangup', async () => {
  const {lifecycle, since} = stage({
    setRawMode: (isRaw) => {
      if (!isRaw) throw new Error('EIO');
    },
  });
  lifecycle.enter();
  since();
  lifecycle.lost();
  await turn();
  expect(since()).toEqual(['save (lost)', 'rest', 'leave', 'say (lost)', 'exit 129']);
});

test('Ctrl-Z gives the terminal back, stops the whole job, and takes it again when continued', async () => {
  const {lifecycle, host, since} = stage();
  lifecycle.enter();
  since();
  const back = lifecycle.suspend();
  expect(since()).toEqual([...given, 'kill 0 SIGTSTP (0 listen)']);
  host.emit('SIGCONT', 'SIGCONT');
  await back;
  expect(since()).toEqual(taken);
  expect(host.listenerCount('SIGTSTP')).toBe(1);
});

test('a stop that was asked for from outside is the same', () => {
  const {lifecycle, host, since} = stage();
  lifecycle.enter();
  since();
  host.emit('SIGTSTP', 'SIGTSTP');
  expect(since()).toEqual([...given, 'kill 0 SIGTSTP (0 listen)']);
  host.emit('SIGCONT', 'SIGCONT');
  expect(since()).toEqual(taken);
});

test('a program that nobody can continue goes on by itself', async () => {
  const {lifecycle, clock, since} = stage();
  lifecycle.enter();
  const back = lifecycle.suspend();
  since();
  clock.advance(200);
  await back;
  expect(since()).toEqual(taken);
});

test('stopped without warning, the terminal is set right when the program goes on', () => {
  const {lifecycle, host, since} = stage();
  lifecycle.enter();
  since();
  host.emit('SIGCONT', 'SIGCONT');
  expect(since()).toEqual([...given, ...taken]);
});

test('while it is lent, Ctrl-C and Ctrl-Z are the borrower’s', () => {
  const {lifecycle, host, since} = stage();
  lifecycle.enter();
  since();
  lifecycle.pause();
  expect(since()).toEqual(given);
  host.emit('SIGINT', 'SIGINT');
  expect(since()).toEqual([]);
  host.emit('SIGTSTP', 'SIGTSTP');
  expect(since()).toEqual(['kill 77 SIGTSTP (0 listen)']);
  host.emit('SIGCONT', 'SIGCONT');
  expect(since()).toEqual([]);
  lifecycle.resume();
  lifecycle.resume();
  expect(since()).toEqual(taken);
});

test('a hangup while it is lent saves and ends without touching the terminal', async () => {
  const {lifecycle, host, since} = stage();
  lifecycle.enter();
  lifecycle.pause();
  since();
  host.emit('SIGHUP', 'SIGHUP');
  await turn();
  expect(since()).toEqual(['save (signal)', 'say (signal)', 'exit 129']);
});

test('nothing takes the terminal once the program is ending', async () => {
  const {lifecycle, host, since} = stage({onEnd: () => new Promise(() => {})});
  lifecycle.enter();
  lifecycle.pause();
  host.emit('SIGTERM', 'SIGTERM');
  since();
  lifecycle.resume();
  lifecycle.enter();
  host.emit('SIGCONT', 'SIGCONT');
  await lifecycle.suspend();
  expect(since()).toEqual([]);
});
