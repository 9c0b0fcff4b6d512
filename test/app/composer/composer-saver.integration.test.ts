import {expect, test, vi} from 'vitest';
import {persistedEdit} from '#app/composer/composer-saver.ts';
import {WatchedClock} from '#test/state/test-client.ts';
import {composeFixture} from './compose-fixture.ts';

const text = 'Half a thought about the tide, typed without a pause';
const keyMs = 50;
/** The keys of the last 100 ms, which a SIGKILL may take. */
const mayBeLost = 2;

test('composer: while the user types, all text older than 100 ms is stored', async () => {
  const clock = new WatchedClock();
  const {session, press, type} = await composeFixture({clock});
  press('r');
  for (let at = 1; at <= text.length; at++) {
    type(text.slice(at - 1, at));
    clock.advance(keyMs);
    const [stored] = session.context.store.drafts.all();
    expect(text.slice(0, at).slice(0, stored?.content.length ?? 0)).toBe(stored?.content ?? '');
    expect(stored?.content.length ?? 0).toBeGreaterThanOrEqual(at - mayBeLost);
  }
});

test('composer: an edit of a message is stored within 100 ms', async () => {
  const clock = new WatchedClock();
  const {app, session, press, type, until} = await composeFixture({clock});
  press('r');
  type('mine');
  press('Enter');
  const {messages} = await until((state) => [...state.messages.byId.values()].some(({content}) => content === 'mine'));
  const id = [...messages.byId.values()].find(({content}) => content === 'mine')?.id ?? 0;
  press('Esc', 'E');
  type(' and more');
  clock.advance(2 * keyMs);
  expect(session.context.store.outbox.all()).toEqual([]);
  expect(persistedEdit(app, id)).toMatchObject({before: 'mine', text: 'mine and more'});
});

test('composer: a full disk is said once, until the text could be saved, which the next flush does', async () => {
  const clock = new WatchedClock();
  const {app, session, press, type} = await composeFixture({clock});
  const edit = session.drafts.edit.bind(session.drafts);
  let isFull = true;
  vi.spyOn(session.drafts, 'edit').mockImplementation((...args) => {
    if (isFull) throw new Error('the disk is full');
    return edit(...args);
  });
  const contents = () => session.context.store.drafts.all().map(({content}) => content);
  const saidAfter = (text: string) => {
    app.set({toast: undefined});
    type(text);
    clock.advance(2 * keyMs);
    return app.screen.toast?.text;
  };
  press('r');
  expect(saidAfter('one')).toBe('Draft not saved to disk: the disk is full');
  expect(saidAfter(' two')).toBeUndefined();
  isFull = false;
  expect(contents()).toEqual([]);
  app.composerPersistence.flush();
  expect(contents()).toEqual(['one two']);
  isFull = true;
  expect(saidAfter(' three')).toBe('Draft not saved to disk: the disk is full');
});
