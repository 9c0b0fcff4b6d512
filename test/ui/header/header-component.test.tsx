import {expect, test} from 'vitest';
import {topicNarrow} from '#state/model/narrow.ts';
import {egFrame, egRect} from '#test/support/frame-fixture.ts';
import {renderWithFrame} from '#test/support/render-ink.tsx';
import {backend, listAccount, noonMs} from '#test/ui/lists/list-fixture.ts';
import {messagesView} from '#ui/core/frame.ts';
import {Header} from '#ui/header/Header.tsx';

const view = messagesView(topicNarrow(backend, 'deploy'));
const first = egFrame({account: listAccount(), view, now: noonMs});

test('Header: shows the view, the inbox, the connection and the time', () => {
  const {texts} = renderWithFrame(<Header rect={egRect('80x1')} />, first);
  expect(texts()[0]).toMatch(/#backend.*deploy.*unread.*inbox 1 mention · 4 unread.*●.*12:00/);
});

test('Header: renders for what it shows, not for a toast, typed text or a presence', async () => {
  const {texts, paint, renderCount} = renderWithFrame(<Header rect={egRect('80x1')} />, first);
  const {account, screen} = first;
  const composer = {...screen.composer, activePart: 'topic'} as const;
  const presences = {...account.presences};
  const toast = {text: 'Copied', tone: 'plain', id: 1} as const;
  await paint({...first, account: {...account, presences}, screen: {...screen, toast, composer}});
  expect(renderCount()).toBe(1);
  await paint({...first, account: {...account, connection: {phase: 'starting', savedAt: undefined}}});
  expect(texts()[0]).toContain('◌ connecting');
  await paint({...first, minute: first.minute + 60_000});
  expect(texts()[0]).toContain('12:01');
  expect(renderCount()).toBe(3);
});
