import {describe, expect, test} from 'vitest';
import {endpoints} from '#wire/endpoints.ts';
import {
  envelopeOnly,
  eventsOf,
  expectValid,
  type OperationsFixture,
  operationsFixture,
  withoutEventId,
} from './operations-fixture.ts';

async function drafted(at: OperationsFixture): Promise<number> {
  const draft = {type: 'stream', to: [at.general], topic: 'lunch', content: 'first'};
  const {ids} = await at.as(at.meg).post('/drafts', {drafts: [draft]});
  return ids[0];
}

const read = async (at: OperationsFixture) => (await at.as(at.meg).get('/drafts')).drafts[0];

describe('9. edit a draft', () => {
  test('replaces every field and returns no extra fields', async () => {
    const at = await operationsFixture();
    const id = await drafted(at);
    const draft = {type: 'private', to: [at.otto.id], topic: '', content: 'second', timestamp: 1_700_000_000};
    const reply = await at.as(at.meg).patch(`/drafts/${id}`, {draft});
    expect(expectValid(endpoints.editDraft, reply)).toEqual(envelopeOnly);
    expect(await read(at)).toEqual({id, ...draft});
  });

  test('an edit without a timestamp gets the server’s time', async () => {
    const at = await operationsFixture();
    const id = await drafted(at);
    at.clock.advance(5000);
    const draft = {type: 'stream', to: [at.general], topic: 'tea', content: 'second'};
    await at.as(at.meg).patch(`/drafts/${id}`, {draft});
    expect(await read(at)).toEqual({id, ...draft, timestamp: at.clock.seconds()});
  });

  test('an unaddressed draft ignores recipients and topic, a direct one the topic', async () => {
    const at = await operationsFixture();
    const id = await drafted(at);
    const unaddressed = {type: '', to: [at.general], topic: 'x', content: 'second'};
    await at.as(at.meg).patch(`/drafts/${id}`, {draft: unaddressed});
    expect(await read(at)).toMatchObject({type: '', to: [], topic: ''});
    const group = {type: 'private', to: [at.otto.id, at.guest.id], topic: 'x', content: 'third'};
    await at.as(at.meg).patch(`/drafts/${id}`, {draft: group});
    expect(await read(at)).toMatchObject({type: 'private', to: [at.otto.id, at.guest.id], topic: ''});
  });

  test('invalid fields are refused and the draft stays unchanged', async () => {
    const at = await operationsFixture();
    const id = await drafted(at);
    const before = await read(at);
    const bad: [string, object][] = [
      ['two channels', {to: [at.general, at.general]}],
      ['no channel', {to: []}],
      ['an unknown channel', {to: [999]}],
      ['an unknown user', {type: 'private', to: [9999]}],
      ['another type', {type: 'channel'}],
      ['NUL in the content', {content: 'a\0b'}],
      ['NUL in the topic', {topic: 'a\0b'}],
      ['no content', {content: '  '}],
      ['a negative time', {timestamp: -1}],
      ['text for recipients', {to: 'general'}],
      ['a missing field', {content: undefined}],
    ];
    for (const [what, change] of bad) {
      const draft = {type: 'stream', to: [at.general], topic: 'tea', content: 'second', ...change};
      const {status, body} = await at.as(at.meg).raw('PATCH', `/drafts/${id}`, {draft});
      expect([status, body.code], what).toEqual([400, 'BAD_REQUEST']);
    }
    expect(await read(at)).toEqual(before);
  });

  test('the draft is required, as JSON', async () => {
    const at = await operationsFixture();
    const id = await drafted(at);
    const missing = {code: 'REQUEST_VARIABLE_MISSING'};
    expect((await at.as(at.meg).refused('PATCH', `/drafts/${id}`, {}, missing)).var_name).toBe('draft');
    await at.as(at.meg).refused('PATCH', `/drafts/${id}`, {draft: '{'}, {code: 'INVALID_JSON'});
  });

  test('a missing draft or another user’s is BAD_REQUEST with status 404', async () => {
    const at = await operationsFixture();
    const id = await drafted(at);
    const draft = {type: '', to: [], topic: '', content: 'x'};
    const refusal = {code: 'BAD_REQUEST', status: 404};
    await at.as(at.meg).refused('PATCH', '/drafts/9999', {draft}, refusal);
    await at.as(at.otto).refused('PATCH', `/drafts/${id}`, {draft}, refusal);
  });

  test('is refused with 400 when synchronization is off', async () => {
    const at = await operationsFixture();
    const id = await drafted(at);
    await at.as(at.meg).patch('/settings', {enable_drafts_synchronization: false});
    const draft = {type: '', to: [], topic: '', content: 'x'};
    await at.as(at.meg).refused('PATCH', `/drafts/${id}`, {draft}, {code: 'BAD_REQUEST', status: 400});
  });

  test('only the author’s sessions get the event', async () => {
    const at = await operationsFixture();
    const id = await drafted(at);
    const [mine, ottos] = [await at.as(at.meg).listen(), await at.as(at.otto).listen()];
    const draft = {
      type: 'stream',
      to: [at.general],
      topic: 'tea',
      content: 'second',
      timestamp: 1_700_000_000,
    };
    const reply = await at.as(at.meg).patch(`/drafts/${id}`, {draft, wibble: '1'});
    expect(reply.ignored_parameters_unsupported).toEqual(['wibble']);
    expect((await eventsOf(mine, 'drafts')).map(withoutEventId)).toEqual([
      {type: 'drafts', op: 'update', draft: {id, ...draft}},
    ]);
    expect(await ottos.events()).toEqual([]);
  });
});
