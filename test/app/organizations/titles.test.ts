import {expect, test} from 'vitest';
import {openView} from '#app/navigation/navigation.ts';
import {topicConversation} from '#state/model/conversation.ts';
import {combinedFeedNarrow, conversationNarrow, narrowIs} from '#state/model/narrow.ts';
import {textOf} from '#test/support/frame-fixture.ts';
import {overlayText} from '#test/support/overlay-text.ts';
import {headerLines} from '#test/support/part-lines.ts';
import {messagesView, type View} from '#ui/core/frame.ts';
import {screenLayout} from '#ui/screen-layout.ts';
import {organizationsFixture} from './organizations-fixture.ts';

const both = {acme: undefined, beta: undefined};

const viewsOfOne: readonly (readonly [View, title: string])[] = [
  [{kind: 'catchUp', since: 0, upTo: 100}, 'Catch up in acme'],
  [{kind: 'directs'}, 'Direct messages in acme'],
  [{kind: 'topics', channelId: 1}, 'Topics of #web in acme'],
  [{kind: 'channels'}, 'Channels in acme'],
  [{kind: 'people'}, 'People in acme'],
  [messagesView(combinedFeedNarrow), 'Combined feed in acme'],
  [messagesView(narrowIs('mentioned')), 'Mentions in acme'],
  [messagesView(narrowIs('starred')), 'Starred messages in acme'],
  [messagesView([{operator: 'search', operand: 'tides'}], 'tides'), 'Search in acme: tides'],
];
const viewsOfAll: readonly (readonly [View, title: string])[] = [
  [{kind: 'inbox'}, 'Inbox'],
  [{kind: 'recent'}, 'Recent conversations'],
  [{kind: 'drafts', tab: 'drafts'}, 'Drafts'],
  [{kind: 'drafts', tab: 'outbox'}, 'Outbox'],
  [{kind: 'drafts', tab: 'scheduled'}, 'Scheduled messages'],
  [{kind: 'drafts', tab: 'reminders'}, 'Reminders'],
];
const login: View = messagesView(conversationNarrow(topicConversation(1, 'login')));

/** The first account on a screen, and its header. */
function headerFixture(arrangement?: 'separate', size = '80x24') {
  const {shown, press} = organizationsFixture(both, arrangement, size);
  const header = (view: View) => {
    openView(shown(), view);
    shown().frames.paintNow();
    const {frame} = shown();
    return textOf(headerLines(frame, screenLayout(frame).main))[0] ?? '';
  };
  return {shown, press, header};
}

test.each(viewsOfOne)('organizations: the header names the organization of a view about one, %j', (view, title) => {
  expect(headerFixture().header(view)).toMatch(new RegExp(`^ ${title} {2}`));
  expect(headerFixture(undefined, '200x50').header(view)).toMatch(new RegExp(`^ acme .* ${title} `));
  expect(headerFixture('separate').header(view)).not.toContain(' in acme');
});

test.each([...viewsOfAll, [login, '#web › login'] as const])(
  'organizations: the header has the account of the cursor before a list of all or a conversation, %j',
  (view, title) => {
    expect(headerFixture().header(view)).toMatch(new RegExp(`^ acme {2}${title} {2}`));
  },
);

test('organizations: an overlay about one organization names it, and one about the program does not', () => {
  const {press, shown} = headerFixture();
  const top = (...keys: readonly string[]) => {
    press(...keys);
    const [title] = overlayText(shown().frame);
    press('Esc');
    return title;
  };
  expect(top('/')).toMatch(/Search messages ─+ acme ─/);
  expect(top('g', ',')).toMatch(/Settings ─+ acme · 1\/\d+ ─/);
  expect(top('Ctrl-G')).toContain(' acme ');
  expect(top('g', 'A')).toMatch(/Mentions in all organizations ─+╮/);
  expect(top('F1')).not.toContain('acme');
  press('Alt-2');
  expect(top('/')).toContain(' beta ');
});

test('organizations: shown separately, an overlay names none', () => {
  const {press, shown} = headerFixture('separate');
  press('/');
  expect(overlayText(shown().frame)[0]).toMatch(/Search messages ─+╮/);
});
