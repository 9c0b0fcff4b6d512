import {expect, test} from 'vitest';
import {composeFixture} from './compose-fixture.ts';

test('composer: Left and Right move on the screen where Parley orders the text, and in the text elsewhere', async () => {
  const {press, type, text, app} = await composeFixture();
  app.setDisplay({...app.display, bidi: 'reorder'});
  press('r');
  type('ab שלום');
  press('Right');
  type('X');
  expect(text()).toBe('ab שלוXם');
  press('Backspace', 'End', 'Left');
  type('Y');
  expect(text()).toBe('abY שלום');
  app.setDisplay({...app.display, bidi: 'terminal'});
  press('Backspace', 'End', 'Left');
  type('Z');
  expect(text()).toBe('ab שלוZם');
});

test('composer: the fields of the destination move in the same way', async () => {
  const {press, type, app} = await composeFixture();
  app.setDisplay({...app.display, bidi: 'reorder'});
  press('c');
  type('שלום');
  press('Right');
  type('ש');
  expect(app.screen.composer.recipients?.topic.text ?? app.screen.composer.recipients?.to.text).toContain('שלושם');
});
