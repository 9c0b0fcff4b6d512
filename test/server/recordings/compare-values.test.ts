import {expect, test} from 'vitest';
import {compareEvents} from './compare-events.ts';
import {compareValues} from './compare-values.ts';
import type {Difference} from './difference.ts';
import type {Json, JsonObject} from './recording.ts';
import {Symbols} from './symbols.ts';

const symbols = new Symbols();
symbols.bind('u.meg', 8);
symbols.bind('m.first', 3);

/** Returns the classes and places of the differences. */
function differences(expected: Json, actual: Json, known = symbols.copy()): string[] {
  const found: Difference[] = [];
  compareValues({symbols: known, report: (difference) => found.push(difference)}, expected, actual, {at: ''});
  return found.map(({class: kind, at}) => `${kind} ${at}`);
}

test('recordings: values differ in type, value, and missing or additional keys', () => {
  expect(differences({a: 1, b: 'x', c: null}, {a: 1, b: 'x', c: null})).toEqual([]);
  expect(differences({a: 1, b: 'x', c: null}, {a: '1', b: 'y', d: null})).toEqual([
    ...['key_missing .c', 'key_extra .d', 'type .a', 'value .b'],
  ]);
});

test('recordings: a symbol is bound where it first appears, and stands for one object', () => {
  const known = symbols.copy();
  expect(differences({id: '$m.new$', sender_id: '$u.meg$'}, {id: 4, sender_id: 8}, known)).toEqual([]);
  expect(known.get('m.new')).toBe(4);
  expect(differences(['$m.new$', '$m.first$'], [3, 4], known)).toEqual([]);
  expect(differences({message_ids: ['$m.new$', '$m.first$']}, {message_ids: [3, 4]}, known)).toEqual([
    'order .message_ids[]',
  ]);
  expect(differences('$m.other$', 3, known)).toEqual(['value ']);
  expect(differences('/near/$m.new$', '/near/5', known)).toEqual(['value ']);
});

test('recordings: placeholders match values of their type only', () => {
  expect(differences({a: '$int$', b: '$str$', c: '$any$'}, {a: 1, b: '', c: null})).toEqual([]);
  expect(differences({a: '$int$', b: '$str$'}, {a: true, b: 1})).toEqual(['type .a', 'type .b']);
  expect(differences('<a href="$BASE$/x">', '<a href="http://127.0.0.1:80/x">')).toEqual([]);
});

test('recordings: objects of a list are paired by what identifies them', () => {
  const expected = [{user_id: '$u.meg$', name: 'Meg'}, {user_id: '$u.new$'}];
  expect(differences({members: expected}, {members: [{user_id: 9}, {user_id: 8, name: 'Meg'}]})).toEqual([]);
  expect(differences({history: expected}, {history: [{user_id: 9}, {user_id: 8, name: 'Meg'}]})).toEqual([
    'order .history[]',
  ]);
  expect(differences(expected, [{user_id: 8, name: 'Max'}])).toEqual(['item_missing []', 'value [].name']);
});

test('recordings: events are compared in order, and a moved one is not also missing', () => {
  const found: string[] = [];
  const report = ({class: kind, at}: Difference) => found.push(`${kind} ${at}`);
  const events: JsonObject[] = [{type: 'message'}, {type: 'reaction', op: 'add'}, {type: 'presence'}];
  const [message = {}, reaction = {}, presence = {}] = events;
  compareEvents({symbols, report}, 'meg', events, [reaction, message, {type: 'typing'}]);
  expect(found).toEqual([
    ...['event_order event(meg) reaction/add', 'event_missing event(meg) presence', 'event_extra event(meg) typing'],
  ]);
  found.length = 0;
  compareEvents({symbols, report}, 'meg', [presence], [{...presence, id: 1}]);
  expect(found).toEqual(['event_key_extra event(meg) presence:.id']);
});
