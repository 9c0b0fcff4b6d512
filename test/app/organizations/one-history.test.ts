import {expect, test} from 'vitest';
import {redirectViews, visitedConversations} from '#app/navigation/navigation.ts';
import {topicConversation} from '#state/model/conversation.ts';
import {viewTitle} from '#ui/format/conversation-name.ts';
import {organizationsFixture} from './organizations-fixture.ts';

const all = {acme: undefined, beta: undefined, gamma: undefined};
const web = 1;

function historyFixture(arrangement: 'grouped' | 'separate' = 'grouped') {
  const fixture = organizationsFixture(all, arrangement, '200x50');
  const {shown, press, go, organizations} = fixture;
  return {
    ...fixture,
    view: () => `${shown().info.accountName}: ${viewTitle(shown().frame, shown().screen.view)}`,
    appOf: (index: number) => organizations.appAt(index) ?? expect.unreachable(),
    /** Opens a conversation of acme from the inbox of all, then one of beta. */
    visitTwo: () => {
      go('acme: #web › login');
      press('Enter', 'Esc');
      go('beta: #web › css');
      press('Enter');
    },
  };
}

test('organizations: Alt-Left and Alt-Right go through the views of all organizations in the order of their visits', () => {
  const {press, view, visitTwo, shown} = historyFixture();
  visitTwo();
  const seen = [view()];
  const pressed = (key: string) => {
    press(key);
    seen.push(view());
  };
  for (const key of ['Alt-Left', 'Alt-Left', 'Alt-Right', 'Alt-Right']) pressed(key);
  expect(seen).toEqual(['beta: #web › css', 'beta: Inbox', 'acme: #web › login', 'beta: Inbox', 'beta: #web › css']);
  expect(shown().screen.toast).toBeUndefined();
});

test('organizations: an organization shown by its number is a step in the history, and forward ends there', () => {
  const {press, view, visitTwo, shown} = historyFixture();
  visitTwo();
  press('Alt-3');
  expect(view()).toBe('gamma: Inbox');
  press('Alt-Left');
  expect(view()).toBe('beta: #web › css');
  press('Alt-1', 'Alt-Right');
  expect([view(), shown().screen.toast?.text]).toEqual(['acme: Inbox', 'Nothing to go forward to']);
});

test('organizations: the last conversation is that of the other organization', () => {
  const {press, view, visitTwo} = historyFixture();
  visitTwo();
  press('Alt-/');
  expect(view()).toBe('acme: #web › login');
  press('Alt-/');
  expect(view()).toBe('beta: #web › css');
});

test('organizations: back from the last conversation of another organization leads to the view before it', () => {
  const {press, view, visitTwo} = historyFixture();
  visitTwo();
  press('Alt-/', 'Alt-Left');
  expect(view()).toBe('beta: #web › css');
});

test('organizations: to show the one that is shown already is no step in the history', () => {
  const {press, view, visitTwo, organizations} = historyFixture();
  visitTwo();
  organizations.shownIndex = 1;
  press('Alt-Left');
  expect(view()).toBe('beta: Inbox');
});

test('organizations: a conversation that was moved is found by its new name in the history of another organization', () => {
  const {press, view, visitTwo, appOf} = historyFixture();
  visitTwo();
  redirectViews(appOf(0), topicConversation(web, 'login'), topicConversation(web, 'sign in'));
  press('Alt-Left', 'Alt-Left');
  expect(view()).toBe('acme: #web › sign in');
});

test('organizations: the same topic of another organization is not redirected', () => {
  const {press, view, visitTwo, appOf} = historyFixture();
  visitTwo();
  redirectViews(appOf(1), topicConversation(web, 'login'), topicConversation(web, 'sign in'));
  press('Alt-Left', 'Alt-Left');
  expect(view()).toBe('acme: #web › login');
});

test('organizations: the visited conversations of the palette are those of its own account', () => {
  const {shown, visitTwo, press} = historyFixture();
  visitTwo();
  press('Esc');
  expect(visitedConversations(shown())).toHaveLength(1);
});

test('organizations: shown separately, each has its own history', () => {
  const {press, view, go} = historyFixture('separate');
  go('acme: #web › login');
  press('Enter', 'Alt-2', 'Alt-Left');
  expect(view()).toBe('beta: Inbox');
});

test('organizations: hidden panes and the filter of a list stay when another organization is shown by its number', () => {
  const {press, shown, visitTwo} = historyFixture();
  visitTwo();
  press('Esc', 'f', '\\', 'Alt-3');
  const {lists, panes} = shown().screen;
  expect([shown().info.accountName, lists.inbox.topicFilter, panes.sidebar]).toEqual(['gamma', 'followed', 'hidden']);
});

test('organizations: back after a walk to the unread of another organization shows the conversation before it', () => {
  const {press, view} = historyFixture();
  const walk = Array.from({length: 6}, () => {
    press('Alt-a');
    return view();
  });
  expect(walk.slice(-2)).toEqual(['acme: #web › css', 'beta: #backend › freeze']);
  press('Alt-Left');
  expect(view()).toBe('acme: #web › css');
});
