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

function makeLifecycle(parts: Partial<LifecycleParts> = {}) {
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
const restored = ['rest', 'leave', 'cooked'];

test('lifecycle: the terminal is taken over once and restored once, however often that is called', () => {
  const {lifecycle, host, since} = makeLifecycle();
  lifecycle.enter();
  lifecycle.enter();
  expect([since(), lifecycle.hasTerminal]).toEqual([taken, true]);
  lifecycle.leave();
  lifecycle.leave();
  expect([since(), lifecycle.hasTerminal]).toEqual([restored, false]);
  expect(host.eventNames()).toEqual([]);
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
  ['SIGQUIT', 131],
  ['SIGALRM', 142],
  ['SIGABRT', 134],
])('lifecycle: %s saves data, restores the terminal and exits with %i', async (signal, code) => {
  const {lifecycle, host, since} = makeLifecycle();
  lifecycle.enter();
  since();
  host.emit(signal, signal);
  await turn();
  expect(since()).toEqual(['save (signal)', ...restored, 'say (signal)', `exit ${code}`]);
  expect(host.eventNames()).toEqual([]);
});

test.each(['uncaughtException', 'unhandledRejection'])(
  'lifecycle: %s does the same and then reports the error',
  async (event) => {
    const {lifecycle, host, since} = makeLifecycle();
    lifecycle.enter();
    since();
    host.emit(event, new Error('a defect'));
    await turn();
    expect(since()).toEqual(['save (crash)', ...restored, 'say (crash)', 'exit 1']);
  },
);

test('lifecycle: the exit of the process restores the terminal at once', () => {
  const {lifecycle, host, since} = makeLifecycle();
  lifecycle.enter();
  since();
  host.emit('exit', 0);
  expect(since()).toEqual(restored);
});

test('lifecycle: slow saving is awaited, but the terminal is restored before', async () => {
  const {promise, resolve} = Promise.withResolvers<void>();
  const {lifecycle, host, since} = makeLifecycle({onEnd: () => promise});
  lifecycle.enter();
  since();
  host.emit('SIGTERM', 'SIGTERM');
  await turn();
  expect(since()).toEqual(restored);
  resolve();
  await turn();
  expect(since()).toEqual(['say (signal)', 'exit 143']);
});

test('lifecycle: saving that never ends is cut off after a second', async () => {
  const {lifecycle, host, clock, since} = makeLifecycle({onEnd: () => new Promise(() => {})});
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
])('lifecycle: saving that fails %s does not prevent the exit', async (_when, onEnd) => {
  const {lifecycle, host, since} = makeLifecycle({onEnd});
  lifecycle.enter();
  since();
  host.emit('SIGTERM', 'SIGTERM');
  await turn();
  expect(since()).toEqual([...restored, 'say (signal)', 'exit 143']);
});

test('lifecycle: a second signal does not cut saving short; a crash does', async () => {
  const reasons: EndReason[] = [];
  const {lifecycle, host, since} = makeLifecycle({
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

test('lifecycle: a closed terminal ends the program like a hangup', async () => {
  const {lifecycle, since} = makeLifecycle({
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

test('lifecycle: Ctrl-Z restores the terminal, stops the whole job, and takes over again when continued', async () => {
  const {lifecycle, host, since} = makeLifecycle();
  lifecycle.enter();
  since();
  const back = lifecycle.suspend();
  expect(since()).toEqual([...restored, 'kill 0 SIGTSTP (0 listen)']);
  host.emit('SIGCONT', 'SIGCONT');
  await back;
  expect(since()).toEqual(taken);
  expect(host.listenerCount('SIGTSTP')).toBe(1);
});

test('lifecycle: a stop signal from outside does the same', () => {
  const {lifecycle, host, since} = makeLifecycle();
  lifecycle.enter();
  since();
  host.emit('SIGTSTP', 'SIGTSTP');
  expect(since()).toEqual([...restored, 'kill 0 SIGTSTP (0 listen)']);
  host.emit('SIGCONT', 'SIGCONT');
  expect(since()).toEqual(taken);
});

test('lifecycle: an orphaned program that cannot be stopped continues by itself', async () => {
  const {lifecycle, clock, since} = makeLifecycle();
  lifecycle.enter();
  const back = lifecycle.suspend();
  since();
  clock.advance(200);
  await back;
  expect(since()).toEqual(taken);
});

test('lifecycle: after SIGSTOP the terminal is set up again', () => {
  const {lifecycle, host, since} = makeLifecycle();
  lifecycle.enter();
  since();
  host.emit('SIGCONT', 'SIGCONT');
  expect(since()).toEqual([...restored, ...taken]);
});

test('lifecycle: while another program has the terminal, Ctrl-C and Ctrl-Z belong to it', () => {
  const {lifecycle, host, since} = makeLifecycle();
  lifecycle.enter();
  since();
  lifecycle.pause();
  expect(since()).toEqual(restored);
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

test('lifecycle: a hangup while another program has the terminal saves and ends without touching it', async () => {
  const {lifecycle, host, since} = makeLifecycle();
  lifecycle.enter();
  lifecycle.pause();
  since();
  host.emit('SIGHUP', 'SIGHUP');
  await turn();
  expect(since()).toEqual(['save (signal)', 'say (signal)', 'exit 129']);
});

test('lifecycle: nothing takes over the terminal while the program is ending', async () => {
  const {lifecycle, host, since} = makeLifecycle({onEnd: () => new Promise(() => {})});
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
