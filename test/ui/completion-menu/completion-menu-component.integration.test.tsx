import {expect, test} from 'vitest';
import {composeFixture} from '#test/app/composer/compose-fixture.ts';
import {renderWithFrame} from '#test/support/render-ink.tsx';
import {CompletionMenu} from '#ui/completion-menu/CompletionMenu.tsx';

test('CompletionMenu: shows the options above the composer, and renders for them only', async () => {
  const {press, type, app} = await composeFixture();
  press('r');
  type('/');
  const {texts, paint, renderCount} = renderWithFrame(<CompletionMenu />, app.frame);
  expect(texts().join('\n')).toMatch(/── commands.*\n▌/);
  const {frame} = app;
  const toast = {text: 'Copied', tone: 'plain', id: 1} as const;
  await paint({...frame, screen: {...frame.screen, toast}, minute: frame.minute + 60_000});
  expect(renderCount()).toBe(1);
  press('Down');
  await paint(app.frame);
  expect(texts().join('\n')).toMatch(/── commands.*\n .*\n▌/);
  press('Esc');
  await paint(app.frame);
  expect(texts().join('')).toBe('');
  expect(renderCount()).toBe(3);
});
