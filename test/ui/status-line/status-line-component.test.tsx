import {expect, test} from 'vitest';
import {commandTable} from '#commands/command-table.ts';
import {makeKeyGuide} from '#commands/key-guide.ts';
import {defaultKeymap} from '#commands/keymap.ts';
import {egFrame, egRect} from '#test/support/frame-fixture.ts';
import {renderWithFrame} from '#test/support/render-ink.tsx';
import {listAccount} from '#test/ui/lists/list-fixture.ts';
import {KeyPanel, LongToast, StatusLine} from '#ui/status-line/StatusLine.tsx';

const keys = makeKeyGuide(defaultKeymap, commandTable);
const first = egFrame({
  account: listAccount({}),
  view: {kind: 'recent'},
  display: {glyphs: 'ascii'},
  info: {keys},
});
const {account, screen} = first;

test('StatusLine: renders for another mode or a toast, not for a minute or an event that changes no key', async () => {
  const {texts, paint, renderCount} = renderWithFrame(<StatusLine rect={egRect('80x1')} />, first);
  expect(texts()[0]).toMatch(/NAV.*Enter.*open.*keys/);
  await paint({...first, account: {...account, presences: {...account.presences}}, minute: first.minute + 60_000});
  expect(renderCount()).toBe(1);
  await paint({...first, screen: {...screen, toast: {text: 'Copied', tone: 'plain', id: 1}}});
  expect(texts()[0]).toMatch(/NAV.*Copied/);
  await paint({...first, screen: {...screen, isMouseOn: true}});
  expect(texts()[0]).toMatch(/NAV MOUSE.*open/);
  expect(renderCount()).toBe(3);
});

test('KeyPanel: lists the next keys after a pause, and renders for another sequence only', async () => {
  const {texts, paint, renderCount} = renderWithFrame(<KeyPanel />, first);
  const shown = {...screen, prefix: ['g'], isPrefixShown: true};
  await paint({...first, screen: shown});
  expect(texts().join('\n')).toMatch(/-- g ~ -+\n.*\n.*\n {2}i {3}Inbox/);
  await paint({...first, screen: {...shown, prefix: ['g'], toast: {text: 'Copied', tone: 'plain', id: 1}}});
  expect(renderCount()).toBe(2);
  await paint(first);
  expect(texts().join('')).toBe('');
});

test('LongToast: wraps a warning that does not fit, and renders for no other toast', async () => {
  const {texts, paint, renderCount} = renderWithFrame(<LongToast />, first);
  const text = 'a reason '.repeat(12).trim();
  await paint({...first, screen: {...screen, toast: {text, tone: 'plain', id: 1}}});
  expect(renderCount()).toBe(1);
  await paint({...first, screen: {...screen, toast: {text, tone: 'warning', id: 2}}});
  expect(texts().slice(-2).join(' ')).toMatch(/^ a reason.* a {2}reason.*a reason$/);
  expect(renderCount()).toBe(2);
});
