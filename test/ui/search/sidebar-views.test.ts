import {expect, test} from 'vitest';
import {directNarrow, topicNarrow} from '#state/model/narrow.ts';
import {egFrame} from '#test/support/frame-fixture.ts';
import * as eg from '#test/support/state-builders.ts';
import {messagesView} from '#ui/core/frame.ts';
import {fragmentOfView, sidebarViews} from '#ui/search/sidebar-views.ts';

const account = eg.state({
  users: eg.users(eg.user(), eg.user({id: 11}), eg.user({id: 9})),
  channels: eg.byId(eg.channel({id: 2, name: 'web'})),
});

test('sidebar views: a link to direct messages names everybody in them, as other clients write it', () => {
  const fragment = (...ids: number[]) => fragmentOfView(account, messagesView(directNarrow(ids)));
  expect(eg.selfId).toBe(10);
  expect(fragment(9, 11)).toMatch(/^narrow\/dm\/9,10,11(?:-|$)/);
  expect(fragment(11)).toMatch(/^narrow\/dm\/10,11(?:-|$)/);
  expect(fragmentOfView(account, messagesView(topicNarrow(2, 'a.b')))).toBe('narrow/channel/2-web/topic/a.2Eb');
});

test('sidebar views: a view that the order does not name stays behind the one before it', () => {
  const order = (...sidebarOrder: readonly string[]) =>
    sidebarViews(egFrame({account, screen: {sidebarOrder}})).map(({fragment}) => fragment);
  const usual = order();
  expect(usual.slice(0, 3)).toEqual(['inbox', 'recent', 'feed']);
  expect(order('drafts', 'recent', 'inbox')).toEqual([
    ...['drafts', 'scheduled', 'reminders'],
    ...usual.slice(1, usual.indexOf('drafts')),
    'inbox',
  ]);
  expect(order('feed', 'inbox').slice(0, 2)).toEqual([usual[2], usual[3]]);
});
