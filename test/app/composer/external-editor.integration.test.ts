import {expect, test} from 'vitest';
import {openComposer} from '#app/composer/open-composer.ts';
import {topicConversation} from '#state/model/conversation.ts';
import {composeFixture} from './compose-fixture.ts';

/** Meg's composer, and an editor that ends when the test says so: with a text, unchanged, or not at all well. */
async function editorFixture() {
  const opened: {readonly text: string; readonly header: readonly string[]}[] = [];
  let ended = Promise.withResolvers<string | undefined>();
  const edit = (text: string, header: readonly string[]) => {
    opened.push({text, header});
    ended = Promise.withResolvers();
    return ended.promise;
  };
  const parts = await composeFixture({device: {edit}});
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return {
    ...parts,
    opened,
    /** Ends the editor with what it saved. */
    saves: async (text: string | undefined) => {
      ended.resolve(text);
      await settled();
    },
    fails: async (problem: string) => {
      ended.reject(new Error(problem));
      await settled();
    },
    toast: () => parts.app.screen.toast?.text,
  };
}

test('external editor: it gets the text below what is answered, and what it saves replaces the text', async () => {
  const {press, type, text, opened, saves} = await editorFixture();
  press('r');
  type('half a thought');
  press('Ctrl-O');
  expect(opened).toEqual([{text: 'half a thought', header: ['To #general › talk', 'Otto wrote:', '  hello there']}]);
  await saves('a whole\nthought');
  expect(text()).toBe('a whole\nthought');
  press('Ctrl-_');
  expect(text()).toBe('half a thought');
});

test('external editor: without a change and after a failure the text stays, and the failure is shown', async () => {
  const {press, type, text, saves, fails, toast} = await editorFixture();
  press('r');
  type('half a thought');
  press('Ctrl-O');
  await saves(undefined);
  expect(text()).toBe('half a thought');
  press('Ctrl-O');
  await fails('The editor “ed” was not found.');
  expect([text(), toast()]).toEqual(['half a thought', 'The editor “ed” was not found.']);
});

test('external editor: where another message is being written when it ends, its text is a draft', async () => {
  const {app, fixture, session, press, type, text, saves, toast} = await editorFixture();
  press('r');
  type('half a thought');
  press('Ctrl-O');
  openComposer(app, {target: topicConversation(fixture.channelId, 'another')});
  type('something else');
  await saves('a whole thought');
  expect(text()).toBe('something else');
  expect(toast()).toContain('Text from the editor saved as a draft');
  const contents = session.drafts.all().map(({content}) => content);
  expect(contents).toContain('a whole thought');
  expect(contents).not.toContain('half a thought');
});
