import {expect, test} from 'vitest';
import {int, object, s} from '#wire/schema.ts';
import {testServer} from './server.ts';
import {strictProblems} from './strict-check.ts';
import {checkEvents, checkResponse} from './wire-check.ts';

const success = {result: 'success', msg: ''};

test('wire check: unknown keys, missing keys and wrong types are problems wherever they are', () => {
  const schema = object({list: s.array(object({id: int}, {name: s.string()}))}, {table: s.record(s.string(), int)});
  expect(strictProblems(schema, {list: [{id: 1, name: ''}], table: {a: 1}})).toEqual([]);
  expect(strictProblems(schema, {list: [{name: 1, other: 2}], table: {a: 'x'}, more: null})).toEqual([
    '.list[].id: missing',
    expect.stringMatching(/^\.list\[\]\.name: /),
    '.list[].other: unknown',
    expect.stringMatching(/^\.table\{\}: /),
    '.more: unknown',
  ]);
});

test('wire check: of a union, the problems of the option that matches best are reported', () => {
  const schema = s.union([int, object({id: int, name: s.string()})]);
  expect(strictProblems(schema, 4)).toEqual([]);
  expect(strictProblems(schema, {id: 1, name: '', more: 1})).toEqual(['.more: unknown']);
});

test('wire check: a response is checked with the schema of its endpoint', () => {
  checkResponse('GET', '/get_stream_id?stream=x', {...success, stream_id: 3});
  expect(() => checkResponse('GET', '/get_stream_id', {...success, stream_id: 3, id: 3})).toThrow('.id: unknown');
  expect(() => checkResponse('GET', '/no_such_path', success)).toThrow('unknown endpoint');
});

test('wire check: an error has the fields of its code only', () => {
  const error = {result: 'error', msg: 'Wrong', code: 'BAD_EVENT_QUEUE_ID', queue_id: 'q'};
  checkResponse('GET', '/events', error);
  expect(() => checkResponse('GET', '/events', {...error, desc: ''})).toThrow('desc: not a field');
  expect(() => checkResponse('GET', '/events', {...error, code: 'NEW'})).toThrow('code NEW: unknown');
});

test('wire check: events are checked by type and op', () => {
  const event = {id: 1, type: 'stream', op: 'delete', stream_ids: [2]};
  checkEvents([event]);
  expect(() => checkEvents([{...event, word: 1}])).toThrow('event stream delete.word: unknown');
  expect(() => checkEvents([{...event, op: 'destroy'}])).toThrow('event stream destroy: unknown');
});

test('wire check: a test fails when its server sends an undescribed event, unless it speaks an older level', async () => {
  for (const level of [undefined, 400]) {
    const server = await testServer(level === undefined ? {} : {level});
    const queue = await server.as(server.people.member()).listen();
    server.context.queues.deliver([{type: 'restart', to: 'everyone', body: {word: 'x'}}]);
    if (level === undefined) await expect(queue.events()).rejects.toThrow('event restart.word: unknown');
    else expect(await queue.events()).toMatchObject([{word: 'x'}]);
  }
});
