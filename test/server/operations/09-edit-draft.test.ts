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

async function createDraft(fixture: OperationsFixture): Promise<number> {
  const draft = {type: 'stream', to: [fixture.general], topic: 'lunch', content: 'first'};
  const {ids} = await fixture.as(fixture.meg).post('/drafts', {drafts: [draft]});
  return ids[0];
}

const getDrafts = async (fixture: OperationsFixture) => (await fixture.as(fixture.meg).get('/drafts')).drafts[0];

describe('9. edit a draft', () => {
  test('replaces every field and returns no extra fields', async () => {
    const fixture = await operationsFixture();
    const id = await createDraft(fixture);
    const draft = {
      type: 'private',
      to: [fixture.otto.id],
      topic: '',
      content: 'second',
      timestamp: 1_700_000_000,
    };
    const reply = await fixture.as(fixture.meg).patch(`/drafts/${id}`, {draft});
    expect(expectValid(endpoints.editDraft, reply)).toEqual(envelopeOnly);
    expect(await getDrafts(fixture)).toEqual({id, ...draft});
  });

  test('an edit without a timestamp gets the server’s time', async () => {
    const fixture = await operationsFixture();
    const id = await createDraft(fixture);
    fixture.clock.advance(5000);
    const draft = {type: 'stream', to: [fixture.general], topic: 'tea', content: 'second'};
    await fixture.as(fixture.meg).patch(`/drafts/${id}`, {draft});
    expect(await getDrafts(fixture)).toEqual({id, ...draft, timestamp: fixture.clock.seconds()});
  });

  test('an unaddressed draft ignores recipients and topic, a direct one the topic', async () => {
    const fixture = await operationsFixture();
    const id = await createDraft(fixture);
    const unaddressed = {type: '', to: [fixture.general], topic: 'x', content: 'second'};
    await fixture.as(fixture.meg).patch(`/drafts/${id}`, {draft: unaddressed});
    expect(await getDrafts(fixture)).toMatchObject({type: '', to: [], topic: ''});
    const group = {type: 'private', to: [fixture.otto.id, fixture.guest.id], topic: 'x', content: 'third'};
    await fixture.as(fixture.meg).patch(`/drafts/${id}`, {draft: group});
    expect(await getDrafts(fixture)).toMatchObject({
      type: 'private',
      to: [fixture.otto.id, fixture.guest.id],
      topic: '',
    });
  });

  test('invalid fields are refused and the draft stays unchanged', async () => {
    const fixture = await operationsFixture();
    const id = await createDraft(fixture);
    const before = await getDrafts(fixture);
    const bad: [string, object][] = [
      ['two channels', {to: [fixture.general, fixture.general]}],
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
      const draft = {type: 'stream', to: [fixture.general], topic: 'tea', content: 'second', ...change};
      const {status, body} = await fixture.as(fixture.meg).raw('PATCH', `/drafts/${id}`, {draft});
      expect([status, body.code], what).toEqual([400, 'BAD_REQUEST']);
    }
    expect(await getDrafts(fixture)).toEqual(before);
  });

  test('the draft is required, as JSON', async () => {
    const fixture = await operationsFixture();
    const id = await createDraft(fixture);
    const missing = {code: 'REQUEST_VARIABLE_MISSING'};
    expect((await fixture.as(fixture.meg).refused('PATCH', `/drafts/${id}`, {}, missing)).var_name).toBe('draft');
    await fixture.as(fixture.meg).refused('PATCH', `/drafts/${id}`, {draft: '{'}, {code: 'BAD_REQUEST'});
  });

  test('a missing draft or another user’s is BAD_REQUEST with status 404', async () => {
    const fixture = await operationsFixture();
    const id = await createDraft(fixture);
    const draft = {type: '', to: [], topic: '', content: 'x'};
    const refusal = {code: 'BAD_REQUEST', status: 404};
    await fixture.as(fixture.meg).refused('PATCH', '/drafts/9999', {draft}, refusal);
    await fixture.as(fixture.otto).refused('PATCH', `/drafts/${id}`, {draft}, refusal);
  });

  test('is refused with 400 when synchronization is off', async () => {
    const fixture = await operationsFixture();
    const id = await createDraft(fixture);
    await fixture.as(fixture.meg).patch('/settings', {enable_drafts_synchronization: false});
    const draft = {type: '', to: [], topic: '', content: 'x'};
    await fixture.as(fixture.meg).refused('PATCH', `/drafts/${id}`, {draft}, {code: 'BAD_REQUEST', status: 400});
  });

  test('only the author’s sessions get the event', async () => {
    const fixture = await operationsFixture();
    const id = await createDraft(fixture);
    const [mine, ottos] = [await fixture.as(fixture.meg).listen(), await fixture.as(fixture.otto).listen()];
    const draft = {
      type: 'stream',
      to: [fixture.general],
      topic: 'tea',
      content: 'second',
      timestamp: 1_700_000_000,
    };
    const reply = await fixture.as(fixture.meg).patch(`/drafts/${id}`, {draft, wibble: '1'});
    expect(reply.ignored_parameters_unsupported).toEqual(['wibble']);
    expect((await eventsOf(mine, 'drafts')).map(withoutEventId)).toEqual([
      {type: 'drafts', op: 'update', draft: {id, ...draft}},
    ]);
    expect(await ottos.events()).toEqual([]);
  });
});
