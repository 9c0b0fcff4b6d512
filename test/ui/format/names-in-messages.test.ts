import {expect, test} from 'vitest';
import {linksOf} from '#app/links/message-links.ts';
import * as eg from '#test/support/state-builders.ts';
import {pane, people, timelineFrame} from '#test/ui/message-pane/timeline-frame.ts';
import {excerpt, messageContext} from '#ui/format/message-context.ts';

const account = eg.state({
  users: people.with(12, eg.user({id: 12, fullName: 'Dan Ito', isActive: false})),
  groups: eg.byId(eg.group({id: 7, name: 'crew', isDeactivated: true})),
  channels: eg.byId(eg.channel({id: 1, name: 'backend'})),
});
const names = messageContext(account);

test('names in messages: a mention of a user or group who was deactivated after it keeps its @', () => {
  expect(excerpt('@**Dan Ito** @**Dan Ito|12** @*crew* @_**Dan Ito**', names)).toBe('@Dan Ito @Dan Ito @crew Dan Ito');
});

test('names in messages: of several users with the name the last active one counts, and of groups the one in that case', () => {
  const [first, second, third] = [
    eg.user({id: 21, fullName: 'Mark Twin'}),
    eg.user({id: 22, fullName: 'Mark Twin'}),
    eg.user({id: 23, fullName: 'Mark Twin', isActive: false}),
  ];
  const groups = eg.byId(eg.group({id: 8, name: 'Crew'}), eg.group({id: 9, name: 'crew'}));
  const context = messageContext(eg.state({users: eg.users(first, second, third), groups}));
  expect(context.userByName?.('mark twin')?.id).toBe(22);
  expect(['Crew', 'crew', 'CREW'].map((name) => context.groupByName?.(name)?.id)).toEqual([8, 9, 9]);
});

test('names in messages: a mention with an id shows today’s name in excerpts', () => {
  expect(excerpt('@_**Bob|11** moved this from #**backend>talk**', names)).toBe(
    'Bo Wu moved this from #backend > talk',
  );
});

test('names in messages: excerpts show the organization’s name of the empty topic', () => {
  const {realm} = account;
  const context = messageContext({...account, realm: {...realm, emptyTopicDisplayName: 'lounge'}});
  expect(excerpt('Moved here from #**backend>** by @_**Bob|11**.', context)).toBe(
    'Moved here from #backend > lounge by Bo Wu.',
  );
});

test('names in messages: excerpts of two messages with the same text follow the facts of each', () => {
  const [first, second] = [{users: {bo: 11}}, {users: {bo: 12}}];
  expect(excerpt('@**Bo**', names, first)).toBe('@Bo Wu');
  expect(excerpt('@**Bo**', names, second)).toBe('@Dan Ito');
  expect(excerpt('@**Bo**', names)).toBe('@Bo');
});

const renamed = eg.message({
  id: 1,
  content: '@**Bob** in #**old hall>talk**',
  facts: {users: {bob: 11}, channels: {'old hall': 1}, topics: {'1>talk': 5}},
});

test('names in messages: the message pane shows today’s names', () => {
  expect(pane(timelineFrame({messages: [renamed]}), '60x8').join('\n')).toContain('@Bo Wu in #backend › talk [1]');
});

test('names in messages: the list of links has today’s channel and the mentioned user', () => {
  expect(linksOf(account, renamed, false).map(({text, target}) => ({text, target}))).toEqual([
    {text: '#backend › talk', target: {kind: 'narrow', url: '#narrow/channel/1-backend/topic/talk/with/5'}},
    {text: 'Bo Wu', target: {kind: 'person', userId: 11}},
  ]);
});

test('names in messages: previews of linked pages are shown unless the setting is off', () => {
  const previews = [{url: 'https://t.example', title: 'Tides', description: 'High water'}];
  const messages = [eg.message({id: 1, content: 'https://t.example', facts: {isRendered: true, previews}})];
  expect(pane(timelineFrame({messages}), '60x8').join('\n')).toContain('▌ Tides\n▌ ▌ High water');
  const off = timelineFrame({messages, frame: {display: {linkPreviews: false}}});
  expect(pane(off, '60x8').join('\n')).not.toContain('Tides');
});
