import {expect, test, vi} from 'vitest';
import {changeOtherTimeline, openNarrow, otherPaneHolder, redirectViews} from '#app/navigation/navigation.ts';
import {openRestoredPane, restorePanes, savedPanes} from '#app/panes/saved-panes.ts';
import {startScreenWatchers} from '#app/watchers/screen-watchers.ts';
import {describeScreen} from '#cli/control/describe-screen.ts';
import {topicConversation} from '#state/model/conversation.ts';
import {channelNarrow, conversationNarrow} from '#state/model/narrow.ts';
import {noonMs, type TriageFixture, triageAccount, triageFixture} from '#test/app/inbox/triage-fixture.ts';
import {fetched} from '#test/state/messages/messages-fixture.ts';
import {textOf} from '#test/support/frame-fixture.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {messagePaneLines, paneHeadLines} from '#test/support/part-lines.ts';
import * as eg from '#test/support/state-builders.ts';
import {listText} from '#test/ui/lists/list-fixture.ts';
import {type Frame, type ImageDisplay, messagesView} from '#ui/core/frame.ts';
import {viewTitle} from '#ui/format/conversation-name.ts';
import {otherPaneFrame} from '#ui/other-pane/other-pane-frame.ts';
import {screenLayout} from '#ui/screen-layout.ts';
import {topicList} from '#ui/topic-list/topic-list.ts';
import {refusedFailure} from '#wire/failure.ts';
import {accountsFixture, organizationsFixture} from './organizations-fixture.ts';

const both = {acme: undefined, beta: undefined};
const web = 1;

/** Two organizations on a wide screen, the inbox of all on the left, and beside it a conversation of acme. */
function panesFixture() {
  const fixture = organizationsFixture(both, 'grouped', '200x50');
  const {shown, press, go} = fixture;
  const nameOf = ({info}: Pick<Frame, 'info'>) => info.accountName;
  const other = () => {
    shown().frames.paintNow();
    return otherPaneFrame(shown().frame);
  };
  go('acme: Carol Diaz');
  press('Ctrl-W', 'v', 'Ctrl-W', 'w');
  return {
    ...fixture,
    other,
    /** The panes with the focused one first. */
    panes: () => {
      const frame = other();
      const focused = shown().frame;
      const texts = [focused, ...(frame === undefined ? [] : [frame])].map(
        (each) => `${nameOf(each)}: ${viewTitle(each, each.screen.view)}`,
      );
      return texts;
    },
    heads: () =>
      [shown().frame, other()].map((frame) => {
        const rect = frame && screenLayout(frame).head;
        return (
          frame &&
          rect &&
          textOf(paneHeadLines(frame, rect))[0]
            ?.replaceAll(/[▌━─ ]+/g, ' ')
            .trim()
        );
      }),
  };
}

test('organizations: the second pane stays and keeps its organization when the cursor crosses to another', () => {
  const {panes, go, heads} = panesFixture();
  expect(panes()).toEqual(['acme: Inbox', 'acme: Carol Diaz']);
  go('beta: #web › login');
  expect(panes()).toEqual(['beta: Inbox', 'acme: Carol Diaz']);
  expect(heads()).toEqual(['beta Inbox', expect.stringMatching(/^acme Carol Diaz/)]);
});

test('organizations: the second pane keeps its organization however often the focus goes to others, and back', () => {
  const fixture = organizationsFixture({acme: undefined, beta: undefined, gamma: undefined}, 'grouped', '200x50');
  const {press, go, shown} = fixture;
  go('acme: Carol Diaz');
  press('Ctrl-W', 'v', 'Ctrl-W', 'w');
  const owner = () => {
    const {otherPane} = shown().screen;
    return [shown().info.accountName, otherPane?.organization];
  };
  expect(owner()).toEqual(['acme', undefined]);
  press('Alt-2');
  expect(owner()).toEqual(['beta', 0]);
  press('Alt-3');
  expect(owner()).toEqual(['gamma', 0]);
  press('Alt-1');
  expect(owner()).toEqual(['acme', undefined]);
});

test('organizations: images in the pane of another organization are loaded from its server', () => {
  const {shown, press, go, fixtures, other} = panesFixture();
  const visible: Record<string, readonly string[]> = {};
  for (const {app, session} of fixtures) {
    const name = app.info.accountName;
    const path = `/user_uploads/1/${name}/tide.png`;
    const content = `[tide.png](${path})`;
    const facts = {isRendered: true, images: {[path]: {width: 80, height: 80}}};
    const message = eg.direct({id: 30, userIds: [11], senderId: 11, content, facts});
    const narrow = conversationNarrow({kind: 'direct', userIds: [11]});
    session.cache.apply(
      {type: 'timeline_opened', narrow},
      {type: 'fetch_started'},
      fetched([message], {narrow, foundOldest: true}),
    );
    const images: ImageDisplay = {
      protocol: 'half-blocks',
      cell: {width: 8, height: 16},
      maxRows: 4,
      get: () => ({kind: 'loading'}),
    };
    app.setDisplay({images});
    app.imageLoader = {
      setTarget: () => {},
      setVisible: (requests) => {
        visible[name] = requests.map(({href}) => href);
      },
      retry: () => {},
      terminalReset: () => {},
      removal: () => '',
    };
  }
  const hrefOf = (name: string) => `/user_uploads/1/${name}/tide.png`;
  go('beta: Carol Diaz');
  press('Enter');
  shown().frames.paintNow();
  expect(visible).toEqual({acme: [hrefOf('acme')], beta: [hrefOf('beta')]});
  expect(other()?.display.images).toBe(fixtures[0]?.app.display.images);
  expect(other()?.display.highlight).toBe(shown().display.highlight);
  press('Ctrl-W', 'o');
  shown().frames.paintNow();
  expect(visible).toEqual({acme: [], beta: [hrefOf('beta')]});
});

test.each([0, 1])('organizations: the pane without the focus follows new messages of organization %i', (index) => {
  const {shown, press, go, fixtures} = organizationsFixture(both, 'grouped', '200x50');
  const conversation = topicConversation(web, 'login');
  const its = fixtures[index] as TriageFixture;
  for (let id = 100; id < 180; id++) its.arrive(id, web, 'login');
  go(`${its.app.info.accountName}: #web › login`);
  press('Ctrl-W', 'v');
  its.load(conversation);
  press('G', 'Ctrl-W', 'w', 'Alt-1');
  const lines = () => {
    its.app.frames.paintNow();
    shown().frames.paintNow();
    const frame = otherPaneFrame(shown().frame);
    return frame && textOf(messagePaneLines(frame, screenLayout(frame).main)).join('\n');
  };
  expect([shown().info.accountName, shown().screen.otherPane?.organization]).toEqual(['acme', index || undefined]);
  expect(lines()).toContain('message 179');
  its.arrive(180, web, 'login');
  lines();
  expect(lines()).toMatch(/1 unread[\s\S]*message 180/);
});

test('organizations: a channel without a subscription is fetched from the organization of its pane, while it is shown', () => {
  const clock = new ManualClock(noonMs);
  const books = eg.channel({id: 77, name: 'books'});
  const before = triageAccount();
  const account = {...before, channels: before.channels.with(books.id, books)};
  const {shown, press, fixtures} = organizationsFixture({acme: account, beta: account}, 'grouped', '200x50', () => ({
    clock,
  }));
  const refreshed: string[] = [];
  for (const {app, session} of fixtures) {
    startScreenWatchers(app);
    vi.spyOn(session.timelines, 'refresh').mockImplementation(async () => void refreshed.push(app.info.accountName));
  }
  const pass = (seconds: number) => {
    shown().frames.paintNow();
    clock.advance(seconds * 1000);
    return refreshed.splice(0);
  };
  press('Alt-2', 'Ctrl-W', 'v', 'Ctrl-W', 'w');
  openNarrow(shown(), channelNarrow(books.id));
  press('Ctrl-W', 'w');
  press('Alt-1');
  expect([shown().info.accountName, shown().screen.otherPane?.organization]).toEqual(['acme', 1]);
  expect(pass(29)).toEqual([]);
  expect(pass(1)).toEqual(['beta']);
  press('Ctrl-W', 'o');
  expect(pass(60)).toEqual([]);
});

test('organizations: the two panes show conversations of different organizations, and the focus changes between them', () => {
  const {panes, go, press, shown} = panesFixture();
  go('beta: #web › login');
  press('Enter');
  expect(panes()).toEqual(['beta: #web › login', 'acme: Carol Diaz']);
  press('Ctrl-W', 'w');
  expect(panes()).toEqual(['acme: Carol Diaz', 'beta: #web › login']);
  expect(describeScreen(shown())).toMatchObject({account: 'acme', otherPane: {account: 'beta', isShown: true}});
  press('Ctrl-W', 'w');
  expect(panes()).toEqual(['beta: #web › login', 'acme: Carol Diaz']);
});

test('organizations: other programs read the names of the organization of each pane and of each selected row', () => {
  const shop = {...triageAccount(), channels: eg.byId(eg.channel({id: web, name: 'shop'}))};
  const {shown, press, go} = organizationsFixture({acme: undefined, beta: shop}, 'grouped', '200x50');
  go('beta: #shop › login');
  press('v', 'Ctrl-W', 'v', 'Ctrl-W', 'w', 'Alt-1');
  const {account, otherPane, selection} = describeScreen(shown());
  expect(account).toBe('acme');
  expect(otherPane).toMatchObject({account: 'beta', view: {title: '#shop › login'}});
  expect(selection).toMatchObject([{account: 'beta', title: '#shop › login', to: '#shop>login'}]);
});

test('organizations: a pane of another organization is closed, and a new one takes its place', () => {
  const {panes, go, press} = panesFixture();
  go('beta: #web › login');
  press('Ctrl-W', 'v');
  expect(panes()).toEqual(['beta: #web › login', 'beta: Inbox']);
  press('Ctrl-W', 'w', 'Alt-1');
  expect(panes()).toEqual(['acme: Inbox', 'beta: #web › login']);
  press('Ctrl-W', 'w', 'Ctrl-W', 'c');
  expect(panes()).toEqual(['beta: Inbox']);
});

test('organizations: text written in a pane stays in the account of that pane', () => {
  const {panes, go, press, type, shown} = panesFixture();
  go('beta: #web › login');
  press('Enter', 'r');
  type('Which browser?');
  press('Ctrl-X', 'w');
  expect(panes()[0]).toBe('acme: Carol Diaz');
  expect(shown().screen.composer.field.text).toBe('');
  press('Ctrl-W', 'w');
  expect([panes()[0], shown().screen.composer.field.text]).toEqual(['beta: #web › login', 'Which browser?']);
});

test('organizations: a pane follows the conversation that was moved in its own organization, and no other', () => {
  const {panes, go, press, organizations, other} = panesFixture();
  const acme = organizations.appAt(0) ?? expect.unreachable();
  const beta = organizations.appAt(1) ?? expect.unreachable();
  go('acme: #web › login');
  press('Ctrl-W', 'v', 'Ctrl-W', 'w');
  go('beta: #web › css');
  redirectViews(beta, topicConversation(web, 'login'), topicConversation(web, 'sign in'));
  expect(panes()).toEqual(['beta: Inbox', 'acme: #web › login']);
  redirectViews(acme, topicConversation(web, 'login'), topicConversation(web, 'sign in'));
  expect(panes()).toEqual(['beta: Inbox', 'acme: #web › sign in']);
  expect(other()?.account).toBe(acme.state);
});

test('organizations: after a restart the second pane shows its organization again, once that is open', () => {
  const {go, press, shown} = panesFixture();
  go('beta: #web › login');
  press('Enter', 'Ctrl-W', 'w');
  const saved: unknown = JSON.parse(JSON.stringify(savedPanes(shown())));
  const next = organizationsFixture(both, 'grouped', '200x50');
  const acme = next.shown();
  acme.session.context.store.keyValues.set('panes', JSON.stringify(saved));
  expect(restorePanes(acme, false)).toBe(true);
  for (const {app} of next.fixtures) openRestoredPane(app);
  acme.frames.paintNow();
  const other = otherPaneFrame(acme.frame) ?? expect.unreachable();
  expect([
    viewTitle(acme.frame, acme.screen.view),
    other.info.accountName,
    viewTitle(other, other.screen.view),
  ]).toEqual(['Carol Diaz', 'beta', '#web › login']);
});

test('organizations: shown separately after a restart, only one pane is restored', () => {
  const {go, press, shown} = panesFixture();
  go('beta: #web › login');
  press('Enter', 'Ctrl-W', 'w');
  const saved = JSON.stringify(savedPanes(shown()));
  const acme = organizationsFixture(both, 'separate', '200x50').shown();
  acme.session.context.store.keyValues.set('panes', saved);
  expect(restorePanes(acme, false)).toBe(false);
  expect(acme.screen.otherPane).toBeUndefined();
});

test('organizations: the key of the other pane says why its account is not shown, and the focus stays', () => {
  const {organizations, accounts, shown} = accountsFixture(['acme', 'beta'], 'grouped');
  const {app, press, toast} = triageFixture({accounts, info: {accountName: 'acme', accountCount: 2}, size: '200x50'});
  organizations.add(0, app);
  const conversation = conversationNarrow(topicConversation(web, 'login'));
  const otherPane = {view: messagesView(conversation), back: [], forward: [], focus: 'main', newestKnown: 0} as const;
  const place = {
    timeline: undefined,
    composer: undefined,
    direction: 'beside',
    isFirst: false,
    isZoomed: false,
  } as const;
  app.set({otherPane: {...otherPane, ...place, organization: 1}});
  press('Ctrl-W', 'w');
  expect([toast(), shown(), app.screen.view.kind]).toEqual(['Opening beta…', app, 'inbox']);
  organizations.fail(1, 'the key was rejected');
  press('Ctrl-W', 'w');
  expect(toast()).toBe('beta could not be opened: the key was rejected');
});

test('organizations: a conversation that takes the place of the pane of another organization leaves the list at its side', () => {
  const {panes, go, press, shown} = panesFixture();
  // The conversation to the left, the list to the right.
  press('Enter', 'Ctrl-W', 'w', 'I');
  expect([panes(), shown().screen.otherPane?.isFirst]).toEqual([['acme: Inbox', 'acme: Carol Diaz'], true]);
  go('beta: #web › login');
  press('Ctrl-W', 'v');
  expect([panes(), shown().screen.otherPane?.isFirst]).toEqual([['beta: #web › login', 'beta: Inbox'], false]);
});

test('organizations: the pane of one organization is neither that of a third one, nor moved by a conversation of the focused one', () => {
  const {press, go, shown, organizations} = organizationsFixture(
    {acme: undefined, beta: undefined, gamma: undefined},
    'grouped',
    '200x50',
  );
  go('acme: #web › login');
  press('Ctrl-W', 'v', 'Ctrl-W', 'w', 'Alt-2');
  const [acme, beta, gamma] = [0, 1, 2].map((index) => organizations.appAt(index) ?? expect.unreachable());
  expect(shown()).toBe(beta);
  expect([acme, beta, gamma].map((app) => app && otherPaneHolder(app)?.info.accountName)).toEqual([
    'beta',
    undefined,
    undefined,
  ]);
  const before = shown().screen.otherPane;
  // The channels and topics of all have the same ids and names.
  const view = messagesView(conversationNarrow(topicConversation(web, 'login')));
  changeOtherTimeline(shown(), view, (timeline) => ({...timeline, selected: 4}));
  expect(shown().screen.otherPane).toBe(before);
});

test('organizations: the pane of another organization says what its own server has refused', async () => {
  const refused = refusedFailure('getTopics', 'Not today.', 'BAD_REQUEST', 400);
  const {go, press, shown, organizations} = organizationsFixture(both, 'grouped', '200x50', (name) =>
    name === 'beta' ? {api: {getTopics: () => Promise.reject(refused)}} : {},
  );
  const beta = organizations.appAt(1) ?? expect.unreachable();
  go('beta: #web › login');
  press('Ctrl-W', 'v', 'y', 'Ctrl-W', 'w', 'Alt-1');
  await beta.session.fetchTopics(web).catch(() => {});
  for (const app of [beta, shown()]) app.frames.paintNow();
  const other = otherPaneFrame(shown().frame) ?? expect.unreachable();
  expect([shown().info.accountName, other.info.accountName]).toEqual(['acme', 'beta']);
  expect(listText(other, topicList).join(' ')).toContain('Topics could not be loaded: Not today.');
});
