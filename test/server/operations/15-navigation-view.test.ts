import {describe, expect, test} from 'vitest';
import {endpoints} from '#wire/endpoints.ts';
import {builtInFragments} from '#wire/objects/personal.ts';
import {
  envelopeOnly,
  eventsOf,
  expectValid,
  type OperationsFixture,
  operationsFixture,
  withoutEventId,
} from './operations-fixture.ts';

const path = '/navigation_views';
const custom = {fragment: 'narrow/channel/1-general', is_pinned: true, name: 'Team'};

const getViews = async (fixture: OperationsFixture) => (await fixture.as(fixture.meg).get(path)).navigation_views;

describe('15. add a navigation view', () => {
  test('adds built-in views, whose name is null', async () => {
    const fixture = await operationsFixture();
    for (const fragment of builtInFragments) {
      const reply = await fixture.as(fixture.meg).post(path, {fragment, is_pinned: false});
      expect(expectValid(endpoints.addNavigationView, reply)).toEqual(envelopeOnly);
      expect(await getViews(fixture)).toContainEqual({fragment, is_pinned: false, name: null});
      const named = {fragment, is_pinned: false, name: 'Mine'};
      await fixture.as(fixture.otto).refused('POST', path, named, {code: 'BAD_REQUEST'});
    }
  });

  test('a null name counts as missing', async () => {
    const fixture = await operationsFixture();
    await fixture.as(fixture.meg).post(path, {fragment: 'inbox', is_pinned: true, name: null});
    expect(await getViews(fixture)).toEqual([{fragment: 'inbox', is_pinned: true, name: null}]);
  });

  test.each(['Team', '"Team"'])('a custom view has a name: %j', async (name) => {
    const fixture = await operationsFixture();
    await fixture.as(fixture.meg).post(path, {...custom, name});
    expect(await getViews(fixture)).toEqual([custom]);
    expect((await fixture.as(fixture.otto).get(path)).navigation_views).toEqual([]);
  });

  test.each([
    ['a blank fragment', {fragment: '  '}],
    ['an empty fragment', {fragment: ''}],
    ['no name', {name: undefined}],
    ['a null name', {name: null}],
    ['a blank name', {name: ' '}],
  ])('%s is BAD_REQUEST', async (_, change) => {
    const fixture = await operationsFixture();
    await fixture.as(fixture.meg).refused('POST', path, {...custom, ...change}, {code: 'BAD_REQUEST', status: 400});
    expect(await getViews(fixture)).toEqual([]);
  });

  test('the same fragment or name twice is BAD_REQUEST', async () => {
    const fixture = await operationsFixture();
    await fixture.as(fixture.meg).post(path, custom);
    const refusal = {code: 'BAD_REQUEST'};
    await fixture.as(fixture.meg).refused('POST', path, {...custom, name: 'Other'}, refusal);
    await fixture.as(fixture.meg).refused('POST', path, {...custom, fragment: 'narrow/is/dm'}, refusal);
    await fixture.as(fixture.otto).post(path, custom);
  });

  test.each(['fragment', 'is_pinned'])('%s is required', async (name) => {
    const fixture = await operationsFixture();
    const refusal = {code: 'REQUEST_VARIABLE_MISSING'};
    const body = await fixture.as(fixture.meg).refused('POST', path, {...custom, [name]: undefined}, refusal);
    expect(body.var_name).toBe(name);
  });

  test('is_pinned is a boolean', async () => {
    const fixture = await operationsFixture();
    await fixture.as(fixture.meg).refused('POST', path, {...custom, is_pinned: 'yes'}, {code: 'BAD_REQUEST'});
    await fixture.as(fixture.meg).refused('POST', path, {...custom, is_pinned: 1}, {code: 'BAD_REQUEST'});
  });

  test('only the user’s own sessions get the event', async () => {
    const fixture = await operationsFixture();
    const [mine, ottos] = [await fixture.as(fixture.meg).listen(), await fixture.as(fixture.otto).listen()];
    const reply = await fixture.as(fixture.meg).post(path, {...custom, wibble: '1'});
    expect(reply.ignored_parameters_unsupported).toEqual(['wibble']);
    await fixture.as(fixture.meg).post(path, {fragment: 'inbox', is_pinned: false});
    expect((await eventsOf(mine, 'navigation_view')).map(withoutEventId)).toEqual([
      {type: 'navigation_view', op: 'add', navigation_view: custom},
      {type: 'navigation_view', op: 'add', navigation_view: {fragment: 'inbox', is_pinned: false, name: null}},
    ]);
    expect(await ottos.events()).toEqual([]);
  });
});
