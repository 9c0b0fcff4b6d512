import {expect, test} from 'vitest';
import {changeList} from '#app/lists/change-list.ts';
import {openConversation, openView} from '#app/navigation/navigation.ts';
import {type Conversation, directConversation, topicConversation} from '#state/model/conversation.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';
import {triageAccount} from '#test/app/inbox/triage-fixture.ts';
import {textOf} from '#test/support/frame-fixture.ts';
import {listPane} from '#test/support/part-lines.ts';
import * as eg from '#test/support/state-builders.ts';
import {channelList} from '#ui/channel-list/channel-list.ts';
import {shownConversation} from '#ui/core/frame.ts';
import {draftsList, panelCount, panelRows, targetExists} from '#ui/drafts-panel/panel-rows.ts';
import {selectedCount} from '#ui/list-table.ts';
import {cursorRow} from '#ui/lists/visible-rows.ts';
import {screenLayout} from '#ui/screen-layout.ts';
import {organizationsFixture} from './organizations-fixture.ts';

const login = topicConversation(1, 'login');
const carol = directConversation([11], 10);

/** Two accounts that are not connected, and functions that write in one of them, each a second after the last. */
function draftsFixture() {
  const fixture = organizationsFixture({acme: undefined, beta: undefined}, 'grouped', '80x40', () => ({
    connection: 'offline',
  }));
  const {shown, fixtures} = fixture;
  const pass = () => {
    for (const {clock} of fixtures) clock.advance(1000);
  };
  const appAt = (index: number) => fixtures[index]?.app ?? expect.unreachable();
  const painted = () => {
    for (const {app} of fixtures) app.frames.paintNow();
    shown().frames.paintNow();
  };
  const pane = listPane(draftsList);
  return {
    ...fixture,
    appAt,
    painted,
    draft: (index: number, target: Conversation, content: string) => {
      pass();
      appAt(index).session.drafts.edit(undefined, {target, content});
      painted();
    },
    unsent: (index: number, conversation: Conversation, content: string) => {
      pass();
      const {id} = appAt(index).session.outbox.send({conversation, content});
      painted();
      return id;
    },
    drafts: (index: number) => appAt(index).state.localDrafts.map(({content}) => content),
    /** The text of the panel. */
    rows: () => textOf(pane(shown().frame, screenLayout(shown().frame).main)),
    /** The account with the keys, and the row under the cursor. */
    at: () => `${shown().info.accountName}: ${cursorRow(shown().frame, draftsList)?.label}`,
    toast: () => shown().screen.toast?.text,
  };
}

test('organizations: the drafts of all are one list by time, with marks and one count', () => {
  const {draft, press, rows, shown: app} = draftsFixture();
  draft(0, login, 'first');
  draft(1, carol, 'second');
  draft(0, carol, 'third');
  press('d');
  const shown = rows();
  expect(shown[0]).toContain('1 Drafts 3');
  expect(channelList.rows(app().frame).find(({label}) => label === 'Drafts')).toMatchObject({count: 3});
  expect(shown.slice(2, 8).map((line) => line.replace(/(?<=\S) {2,}.*now$/, ''))).toEqual([
    '▌ ac Carol Diaz',
    '    third',
    '  be Carol Diaz',
    '    second',
    '  ac #web › login',
    '    first',
  ]);
});

test('organizations: the cursor starts at the draft of the conversation before, and the order of all stays by time', () => {
  const {draft, press, at, rows, shown} = draftsFixture();
  draft(0, login, 'first');
  draft(1, login, 'second');
  draft(0, carol, 'third');
  openConversation(shown(), login);
  press('d');
  expect(at()).toBe('acme: #web › login');
  expect(rows().join(' ')).toMatch(/third .*second .*first/);
});

test('organizations: the drafts of an organization without any are empty, and those of the other get the cursor', () => {
  const {draft, press, at, rows} = draftsFixture();
  press('d');
  expect(rows().join('\n')).toContain('No drafts');
  press('Esc');
  draft(1, login, 'only there');
  press('d');
  expect(at()).toBe('beta: #web › login');
});

test('organizations: d closes the drafts of all where they were opened, also with the cursor in another organization', () => {
  const {draft, press, at, shown} = draftsFixture();
  draft(1, carol, 'only there');
  openConversation(shown(), login);
  press('d');
  expect(at()).toBe('beta: Carol Diaz');
  press('d');
  expect([shown().info.accountName, shownConversation(shown().screen)]).toEqual(['acme', login]);
});

test('organizations: a draft of another organization is opened, edited and deleted there, and undo brings it back', () => {
  const {draft, press, type, at, drafts, toast, shown} = draftsFixture();
  draft(0, login, 'here');
  draft(1, carol, 'there');
  press('d', 'k');
  expect(at()).toBe('beta: Carol Diaz');
  press('E');
  type('!');
  press('Esc');
  expect([drafts(0), drafts(1)]).toEqual([['here'], ['there!']]);
  expect([shown().info.accountName, shown().screen.view.kind]).toEqual(['beta', 'drafts']);
  press('Delete');
  expect([drafts(0), drafts(1)]).toEqual([['here'], []]);
  expect(at()).toBe('acme: #web › login');
  expect(toast()).toContain('Deleted the draft for Carol Diaz');
  press('z');
  expect([drafts(0), drafts(1)]).toEqual([['here'], ['there!']]);
  press('Home');
  expect(at()).toBe('beta: Carol Diaz');
  press('Enter');
  const {state, screen, info} = shown();
  const conversation = shownConversation(screen) ?? expect.unreachable();
  expect([info.accountName, conversationTitle(state, conversation), screen.composer.field.text]).toEqual([
    'beta',
    'Carol Diaz',
    'there!',
  ]);
});

test('organizations: an unsent message is edited where it was written, also if it was the last one there', () => {
  const {unsent, press, type, at, appAt, shown} = draftsFixture();
  unsent(0, login, 'here');
  unsent(1, carol, 'there');
  press('g', 'o');
  expect(at()).toBe('acme: #web › login');
  press('j');
  expect(at()).toBe('beta: Carol Diaz');
  press('E');
  expect([shown().info.accountName, shown().screen.focus]).toEqual(['beta', 'composer']);
  type('!');
  expect(shown().screen.composer.field.text).toBe('there!');
  expect(appAt(0).state.outbox.map(({content}) => content)).toEqual(['here']);
});

test('organizations: selected drafts of all are deleted by one key and brought back by one undo', () => {
  const {draft, press, drafts, toast, shown} = draftsFixture();
  draft(0, login, 'here');
  draft(1, carol, 'there');
  draft(1, login, 'stays');
  press('d', 'Home', 'v', 'j', 'v', 'j', 'v');
  expect(selectedCount(shown().frame)).toBe(3);
  press('Esc');
  expect(selectedCount(shown().frame)).toBe(0);
  press('End', 'v', 'k', 'v');
  expect(selectedCount(shown().frame)).toBe(2);
  press('Delete');
  expect([drafts(0), drafts(1)]).toEqual([[], ['stays']]);
  expect(toast()).toMatch(/acme: Deleted the draft for #web › login/);
  expect(toast()).toMatch(/beta: Deleted the draft for Carol Diaz/);
  press('z');
  expect([drafts(0), drafts(1).toSorted()]).toEqual([['here'], ['stays', 'there']]);
});

test('organizations: rows that are selected at another tab in another organization are not deleted', () => {
  const {draft, unsent, press, drafts, at, appAt} = draftsFixture();
  draft(1, carol, 'there');
  draft(0, login, 'here');
  unsent(0, login, 'now');
  press('d', 'j', 'v');
  expect(at()).toBe('beta: Carol Diaz');
  press('k', 'g', 'o', 'Delete');
  expect(drafts(1)).toEqual(['there']);
  expect(appAt(0).state.outbox).toEqual([]);
});

test('organizations: the tab of the list stays when the cursor crosses, whatever was shown there before', () => {
  const {draft, unsent, press, at, rows} = draftsFixture();
  draft(1, carol, 'there');
  draft(0, carol, 'here');
  press('d', 'j');
  expect(at()).toBe('beta: Carol Diaz');
  press('k');
  unsent(0, login, 'now');
  unsent(1, login, 'later');
  press('g', 'o');
  expect(at()).toBe('acme: #web › login');
  const lines = () =>
    rows()
      .slice(2, 6)
      .map((line) => line.replace('▌', ' '));
  const before = lines();
  press('j');
  expect(at()).toBe('beta: #web › login');
  expect(rows()[0]).toMatch(/2 Outbox 2/);
  expect(lines()).toEqual(before);
});

test('organizations: what is selected at another tab of another organization is not deleted', () => {
  const {draft, appAt, press, shown} = draftsFixture();
  draft(0, login, 'one of acme');
  draft(1, login, 'one of beta');
  press('d');
  const other = appAt(1);
  openView(other, {kind: 'drafts', tab: 'outbox'});
  const key = `drafts:${other.session.drafts.all()[0]?.id}`;
  changeList(other, 'drafts', (list) => ({...list, selected: new Set([key])}));
  other.frames.paintNow();
  expect(shown().info.accountName).toBe('acme');
  press('Backspace');
  expect([appAt(0), other].map(({session}) => session.drafts.all().length)).toEqual([0, 1]);
});

test('unsent messages: one that the server has is counted and listed until it is among the messages', () => {
  const {fixtures, shown, press} = organizationsFixture({acme: undefined});
  press('g', 'o');
  const conversation = login;
  const sent = eg.outboxEntry({id: 'sent', status: 'sent', messageId: 20, conversation});
  const queued = eg.outboxEntry({id: 'queued', status: 'queued', conversation});
  fixtures[0]?.session.cache.apply({type: 'outbox_changed', outbox: [sent, queued]});
  const counted = () => [panelCount(shown().frame, 'outbox'), panelRows(shown().frame).filter(({item}) => item).length];
  expect(counted()).toEqual([2, 2]);
  fixtures[0]?.arrive(20, 1, 'login');
  expect(counted()).toEqual([1, 1]);
});

test('drafts: one for several people of whom one is deactivated has no destination', () => {
  const account = triageAccount();
  const users = eg.users(
    eg.user(),
    eg.user({id: 11, fullName: 'Carol Diaz'}),
    eg.user({id: 12, fullName: 'Gone', isActive: false}),
  );
  const state = {...account, users};
  expect([[11], [11, 12], [12]].map((userIds) => targetExists(state, {kind: 'direct', userIds}))).toEqual([
    true,
    false,
    false,
  ]);
});
