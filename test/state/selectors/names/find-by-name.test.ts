import {expect, test} from 'vitest';
import {findChannel, findGroup, findUser, usersNamed} from '#state/selectors/names/find-by-name.ts';
import {similarNames} from '#std/similar-names.ts';
import * as eg from '#test/support/state-builders.ts';

const state = eg.state({
  users: eg.users(
    eg.user({fullName: 'Me Myself'}),
    eg.user({id: 11, fullName: 'Maren Holt'}),
    eg.user({id: 12, fullName: 'Marc Ito'}),
    eg.user({id: 13, fullName: 'Robin Maresh'}),
    eg.user({id: 14, fullName: 'Zoë Robinson', isActive: false}),
    eg.user({id: 15, fullName: 'José Ruiz'}),
    eg.user({id: 16, fullName: 'Kim Lee'}),
    eg.user({id: 17, fullName: 'Kim Lee'}),
    eg.user({id: 18, fullName: 'Rob'}),
    eg.user({id: 19, fullName: 'Rob', isActive: false}),
  ),
  channels: eg.byId(
    eg.channel({id: 1, name: 'the-quay'}),
    eg.channel({id: 2, name: 'the-quay-archive', isArchived: true}),
    eg.channel({id: 3, name: 'boats'}),
    eg.channel({id: 4, name: 'boat-yard'}),
    eg.channel({id: 5, name: 'boat'}),
    eg.channel({id: 6, name: 'night-shift'}),
    eg.channel({id: 7, name: 'night-shift-swaps'}),
  ),
  groups: eg.byId(
    eg.group({id: 1, name: 'role:moderators', isSystemGroup: true}),
    eg.group({id: 2, name: 'harbor crew'}),
    eg.group({id: 3, name: 'night crew', isDeactivated: true}),
  ),
});

test.each([
  ['maren', 11],
  ['holt', 11],
  ['holt mar', 11],
  ['jose', 15],
  // The exact name counts, even if it begins others; of two the active one.
  ['rob', 18],
  // The beginning of a word counts more than a part of a word.
  ['robi', 13],
  // Deactivated users are found by their whole name only.
  ['Zoë Robinson', 14],
  ['esh', 13],
])('findUser: “%s” is the only user whose name has it', (text, id) => {
  expect(findUser(state, text)).toMatchObject({found: {id}});
});

test.each([
  ['mar', '3 people match “mar”: Maren Holt, Marc Ito, Robin Maresh.'],
  ['kim', '2 people match “kim”: Kim Lee|16, Kim Lee|17.'],
  ['zoë', 'No user is called “zoë”.'],
  // Two letters inside a word are too few.
  ['oz', 'No user is called “oz”.'],
])('findUser: “%s” is refused with a sentence', (text, problem) => {
  expect(findUser(state, text)).toEqual({problem});
});

test('usersNamed: users of the same name are in the order of their ids, also after a rename', () => {
  const users = eg.users(...[17, 9, 16].map((id) => eg.user({id, fullName: id === 9 ? 'Kim' : 'Kim Lee'})));
  const renamed = users.with(9, eg.user({id: 9, fullName: 'Kim Lee'}));
  expect(usersNamed(eg.state({users: renamed}), 'kim lee').map(({id}) => id)).toEqual([9, 16, 17]);
});

test('similarNames: blanks around the text do not count', () => {
  expect(similarNames(['boats', 'harbor'], ' baots ')).toEqual(['boats']);
});

test('findUser: many matches are counted, and some are named', () => {
  const users = Array.from({length: 12}, (_, at) => eg.user({id: 20 + at, fullName: `Ana ${at}`}));
  const problem = '12 people match “an”: Ana 0, Ana 1, Ana 2, Ana 3, Ana 4 and 7 more.';
  expect(findUser(eg.state({users: eg.users(...users)}), 'an')).toEqual({problem});
});

test('names: a part is refused where the exact name is needed', () => {
  expect(findUser(state, 'maren', 'exact')).toEqual({
    problem: 'No user is called “maren”. Did you mean “Maren Holt”?',
  });
  expect(findChannel(state, 'quay', 'exact')).toHaveProperty('problem');
  expect(findGroup(state, 'harbor', 'exact')).toHaveProperty('problem');
});

test.each([
  ['quay', 1],
  ['the quay', 1],
  ['boat', 5],
  ['yard', 4],
  // The same words count more than words with which a name begins.
  ['night shift', 6],
])('findChannel: “%s” is the only active channel whose name has it', (text, id) => {
  expect(findChannel(state, text)).toMatchObject({found: {id}});
});

test('findChannel: several channels are named', () => {
  expect(findChannel(state, 'boa')).toEqual({problem: '3 channels match “boa”: boats, boat-yard, boat.'});
});

test('findGroup: a part of the name of an active group', () => {
  expect(findGroup(state, 'crew')).toMatchObject({found: {id: 2}});
  expect(findGroup(state, 'mod')).toMatchObject({found: {id: 1}});
});
