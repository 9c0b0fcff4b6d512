import {expect, test} from 'vitest';
import {defaultKeymap, withBindings} from '#commands/keymap.ts';
import {presetBindings} from '#commands/user-keys.ts';
import {composeFixture} from './compose-fixture.ts';

const keymap = withBindings(defaultKeymap, presetBindings('vim+'));

async function vimFixture() {
  const fixture = await composeFixture({keymap});
  const {app} = fixture;
  const hints = () => app.info.keys?.hints(app.frame).map(({key, label}) => `${key} ${label}`);
  return {...fixture, hints, mode: () => app.info.keys?.mode(app.screen)};
}

test('vim+: Esc begins the normal mode, letters edit, i goes on writing, and the next Esc closes with a draft', async () => {
  const {press, type, text, app, mode, hints, session} = await vimFixture();
  press('r');
  type('one two');
  expect([mode(), hints()?.[0]]).toEqual(['WRITE', 'Esc normal mode']);
  press('Esc');
  expect([mode(), hints()]).toEqual(['NORMAL', ['i write', 'Esc close']]);
  type('bdwxzq');
  expect(text()).toBe('one');
  press('0', 'i');
  type('x ');
  expect([text(), mode()]).toEqual(['x one', 'WRITE']);
  press('Esc', 'Esc');
  expect(app.screen.composer.isOpen).toBe(false);
  expect(session.drafts.all()).toMatchObject([{content: 'x one'}]);
});

test('vim+: Enter sends in the normal mode, and the next text is typed', async () => {
  const {press, type, text, mode, until} = await vimFixture();
  press('r');
  type('good');
  press('Esc', 'Enter');
  await until(({messages}) => [...messages.byId.values()].some(({content}) => content === 'good'));
  expect([text(), mode()]).toEqual(['', 'WRITE']);
  type('jk');
  expect(text()).toBe('jk');
});

test('vim+: Esc closes an empty composer, and the fields of the destination have no normal mode', async () => {
  const {press, type, app, mode} = await vimFixture();
  press('r', 'Esc');
  expect(app.screen.composer.isOpen).toBe(false);
  press('r');
  type('text');
  press('Esc', 'Ctrl-T');
  expect(mode()).toBe('WRITE');
  press('Ctrl-U');
  type('general');
  expect(app.screen.composer.recipients?.to.text).toBe('general');
});

test('normal mode: without its keys Esc closes the composer', async () => {
  const {press, type, app} = await composeFixture();
  press('r');
  type('text');
  press('Esc');
  expect(app.screen.composer.isOpen).toBe(false);
});
