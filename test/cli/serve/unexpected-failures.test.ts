import {EventEmitter} from 'node:events';
import {expect, test} from 'vitest';
import {serverLog} from '#cli/serve/server-log.ts';
import {outliveFailures} from '#cli/serve/unexpected-failures.ts';
import {Database} from '#server/db/database.ts';
import {withFailureHandler} from '#std/failure-handler.ts';
import {ManualClock} from '#test/support/manual-clock.ts';

function setup(db: Parameters<typeof outliveFailures>[0] = new Database(':memory:')) {
  const lines: string[] = [];
  const exits: number[] = [];
  const host = Object.assign(new EventEmitter(), {exit: (code: number) => exits.push(code)});
  const log = serverLog('text', new ManualClock(), (line) => lines.push(line.slice(25).split('|')[0]?.trim() ?? ''));
  outliveFailures(db, log, host as never);
  return {host, lines, exits};
}

test('unexpected failure: a transaction that it left open is rolled back, and the server goes on', () => {
  const db = new Database(':memory:');
  const {host, lines, exits} = setup(db);
  db.exec(`BEGIN; INSERT INTO meta (key, value) VALUES ('half', 'done')`);
  host.emit('uncaughtException', new Error('first'));
  expect(db.value(`SELECT value FROM meta WHERE key = 'half'`)).toBeUndefined();
  db.transaction(() => db.run(`INSERT INTO meta (key, value) VALUES ('next', 'whole')`));
  expect(db.value(`SELECT value FROM meta WHERE key = 'next'`)).toBe('whole');
  expect([lines, exits]).toEqual([['error A failure was not expected error=Error: first'], []]);
  db.close();
});

test('unexpected failure: it is handed to the request that caused it', () => {
  const {host, lines} = setup();
  const failed: unknown[] = [];
  const error = new Error('first');
  withFailureHandler(
    (each) => failed.push(each),
    () => host.emit('unhandledRejection', error),
  );
  expect([failed, lines]).toEqual([[error], []]);
});

test('unexpected failure: the server ends when its transaction cannot be rolled back', () => {
  const rollBackOpenTransaction = () => {
    throw new Error('disk I/O error');
  };
  const {host, lines, exits} = setup({rollBackOpenTransaction});
  host.emit('uncaughtException', new Error('first'));
  expect(lines).toEqual([
    'error A failure was not expected error=Error: first',
    'error The server ends, because its state is uncertain error=Error: disk I/O error',
  ]);
  expect(exits).toEqual([1]);
});
