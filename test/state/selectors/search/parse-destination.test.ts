import {expect, test} from 'vitest';
import {parseDestination} from '#state/selectors/search/parse-destination.ts';
import type {AccountState} from '#state/state.ts';
import {dm, topic} from '#test/state/selectors/selector-builders.ts';
import * as eg from '#test/support/state-builders.ts';

const base = eg.state();
const state: AccountState = {
  ...base,
  server: {...base.server, url: 'https://chat.example'},
  users: eg.users(
    eg.user(),
    eg.user({id: 11, fullName: 'Ann Lee', deliveryEmail: 'ann@example.com'}),
    eg.user({id: 12, fullName: 'Bo'}),
    eg.user({id: 13, fullName: 'Twin'}),
    eg.user({id: 14, fullName: 'Twin'}),
    eg.user({id: 15, fullName: 'Both'}),
    eg.user({id: 16, fullName: 'Lee, Ann'}),
  ),
  channels: eg.byId(
    eg.channel({id: 1, name: 'web'}),
    eg.channel({id: 2, name: 'a>b'}),
    eg.channel({id: 3, name: 'both'}),
    eg.channel({id: 4, name: 'two words'}),
  ),
};

test.each([
  ['#web>deploy freeze', topic(1, 'deploy freeze')],
  ['web > deploy', topic(1, 'deploy')],
  ['WEB>x', topic(1, 'x')],
  ['#web>', topic(1, '')],
  ['#web>General Chat', topic(1, '')],
  ['#web>a>b', topic(1, 'a>b')],
  ['#a>b>c', topic(2, 'c')],
  ['#1>x', topic(1, 'x')],
  ['#**two words>t**', topic(4, 't')],
  ['@bo', dm(12)],
  ['@Ann Lee, Bo', dm(11, 12)],
  ['@**Ann Lee**', dm(11)],
  ['@Twin|14', dm(14)],
  ['@Lee, Ann', dm(16)],
  ['#wor>t', topic(4, 't')],
  ['@bot, bo', dm(12, 15)],
  ['@me', dm()],
  ['me', dm()],
  ['Bo', dm(12)],
  ['ann@example.com,person12@example.com', dm(11, 12)],
  ['https://chat.example/#narrow/channel/1-web/topic/a.20b', topic(1, 'a b')],
  ['#narrow/stream/two-words/topic/x', topic(4, 'x')],
  ['#narrow/channel/Two.20words/topic/x', topic(4, 'x')],
  ['https://chat.example/#narrow/dm/10,12-group', dm(12)],
  ['channel:web topic:x', topic(1, 'x')],
])('parseDestination: %s is a conversation', (text, conversation) => {
  expect(parseDestination(state, text)).toEqual({kind: 'conversation', conversation});
});

test.each([
  ['#web', [{operator: 'channel', operand: 1}]],
  ['two words', [{operator: 'channel', operand: 4}]],
  ['#a>b', [{operator: 'channel', operand: 2}]],
  ['is:unread', [{operator: 'is', operand: 'unread'}]],
  ['https://chat.example/#narrow/dm-including/ann@example.com', [{operator: 'dm-including', operand: 11}]],
  [
    'https://chat.example/#narrow/channel/1-web/topic/x/near/55',
    [
      {operator: 'channel', operand: 1},
      {operator: 'topic', operand: 'x'},
      {operator: 'near', operand: 55},
    ],
  ],
])('parseDestination: %s is a narrow', (text, narrow) => {
  expect(parseDestination(state, text)).toEqual({kind: 'narrow', narrow});
});

test.each([
  ['', 'Name a destination: #channel>topic, @name, or an email address.'],
  ['#wep>x', 'There is no channel called “wep”. Did you mean “web”?'],
  ['@ann', '2 people match “ann”: Ann Lee, Lee, Ann.'],
  ['@Bo,,Ann Lee', 'A name is missing between the commas.'],
  ['ann@exampel.com', 'No user has the email address “ann@exampel.com”. Did you mean “ann@example.com”?'],
  ['both', '“both” is a channel and a person: write “#both” or “@both”.'],
  ['weeb', 'No channel or user is called “weeb”. Did you mean “#web”?'],
  ['Boo', 'No channel or user is called “Boo”. Did you mean “@Bo”?'],
  ['@twin', '2 users are called “twin”: write Twin|13 (person13@example.com) or Twin|14 (person14@example.com).'],
  ['https://other.example/#narrow/channel/1-web', 'This link is for another organization.'],
  ['https://chat.example/', 'Not a link to a conversation or message.'],
  ['#narrow/channel/9-x', 'No such channel, or you cannot see it.'],
  [`#web>${'x'.repeat(61)}`, 'The topic is 61 characters long; the limit is 60.'],
])('parseDestination: %s is refused with a sentence', (text, problem) => {
  expect(parseDestination(state, text)).toEqual({kind: 'problem', problem});
});

test('parseDestination: a part of the channel is refused where the exact name is needed', () => {
  const problem = 'There is no channel called “wor”. Did you mean “two words”?';
  expect(parseDestination(state, '#wor>t', 'exact')).toEqual({kind: 'problem', problem});
});
