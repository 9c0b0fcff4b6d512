import {expect, test} from 'vitest';
import {commandList} from '#commands/command-table.ts';
import {findNamed} from '#std/name-match.ts';

const idsFoundBy = (query: string) => findNamed(commandList, query).map(({item}) => item.id);

test.each([
  ['quit', 'app.quit'],
  ['exit', 'app.quit'],
  ['q', 'app.quit'],
  ['mark all', 'mark.all.read'],
  ['upload', 'compose.attach'],
  ['attach', 'compose.attach'],
  ['file', 'compose.attach'],
  ['add account', 'account.add'],
  ['login', 'account.add'],
  ['members', 'channel.members'],
  ['people', 'view.people'],
  ['sidebar', 'pane.sidebar'],
  ['theme', 'settings.theme'],
  ['dark', 'settings.theme'],
  ['night mode', 'settings.theme'],
  ['font', 'settings.font'],
  ['thread', 'msg.zoom'],
  ['log out', 'account.remove'],
  ['sign out', 'account.remove'],
  ['who', 'view.people'],
  ['edit', 'msg.edit'],
  ['delete', 'msg.delete'],
  ['create channel', 'channel.new'],
  ['new channel', 'channel.new'],
  ['poll', 'format.poll'],
  ['vote', 'msg.vote'],
  ['undo', 'undo'],
  ['redo', 'redo'],
  ['snooze', 'triage.snooze'],
  ['search', 'search.open'],
  ['date', 'view.date'],
  ['msg.star', 'msg.star'],
])('command search: “%s” finds %s first', (query, id) => {
  expect(idsFoundBy(query)[0]).toBe(id);
});

test('command search: a title is found without its articles', () => {
  const items = [
    {id: 'account.pick', title: 'Switch account', aliases: ['add account']},
    {id: 'account.add', title: 'Add an account'},
  ];
  expect(findNamed(items, 'add account')[0]?.item.id).toBe('account.add');
});

test('command search: “undo” finds only commands that undo', () => {
  expect(idsFoundBy('undo').filter((id) => !/undo|review/.test(id))).toEqual([]);
});

test('command search: nonsense finds nothing', () => {
  expect(['xyzzy', 'qqq', 'poll shell', 'zz'].flatMap(idsFoundBy)).toEqual([]);
});

test('command records: no alias repeats the title', () => {
  const same = commandList.flatMap(({title, aliases = []}) =>
    aliases.filter((alias) => alias.toLowerCase() === title.toLowerCase()),
  );
  expect(same).toEqual([]);
});
