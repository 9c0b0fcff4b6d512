import {expect, test} from 'vitest';
import {channelNarrow} from '#state/model/narrow.ts';
import {egFrame, egRect} from '#test/support/frame-fixture.ts';
import {renderWithFrame} from '#test/support/render-ink.tsx';
import {listAccount, noonMs} from '#test/ui/lists/list-fixture.ts';
import {Banner} from '#ui/banner/Banner.tsx';
import {messagesView} from '#ui/core/frame.ts';

test('Banner: renders for what it says and its keys, not for events that do not change it or the time', async () => {
  const first = egFrame({account: listAccount(), view: messagesView(channelNarrow(4)), now: noonMs});
  const {account, screen} = first;
  const {texts, paint, renderCount} = renderWithFrame(<Banner rect={egRect('80x1')} />, first);
  expect(texts()[0]).toBe(' Not subscribed: updates every 30 s — Tab Enter subscribes');
  const changed = {...account, realm: {...account.realm}, presences: {...account.presences}};
  await paint({...first, account: changed, minute: first.minute + 60_000});
  expect(renderCount()).toBe(1);
  await paint({...first, screen: {...screen, focus: 'banner'}});
  expect(texts()[0]).toBe('▌Not subscribed: updates every 30 s — Enter subscribes');
  await paint({...first, account: {...account, connection: {phase: 'starting', savedAt: undefined}}});
  expect(texts()[0]).toBe(' You are not subscribed to #elsewhere');
  expect(renderCount()).toBe(3);
});
