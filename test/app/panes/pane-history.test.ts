import fc from 'fast-check';
import {expect, test} from 'vitest';
import {openConversation, redirectViews} from '#app/navigation/navigation.ts';
import {movedConversationListener} from '#app/watchers/follow-moved-conversation.ts';
import {topicConversation} from '#state/model/conversation.ts';
import {topicNarrow} from '#state/model/narrow.ts';
import {buildUpdateMessageEvent} from '#test/state/messages/wire-events.ts';
import {fewOrAll} from '#test/support/tier.ts';
import {backend, listFixture, loadedConversations} from '#test/ui/lists/list-fixture.ts';
import {messagesView, viewKey} from '#ui/core/frame.ts';
import {viewTitle} from '#ui/format/conversation-name.ts';
import {newTimelineState} from '#ui/message-pane/timeline-state.ts';

const conversation = (topic: string) => messagesView(topicNarrow(backend, topic));

/** The views that one pane has visited, and which of them it shows. */
interface ModelPane {
  views: string[];
  at: number;
}

/** Both panes as plain lists; the first one has the focus. */
type Model = [focused: ModelPane, other?: ModelPane];

const opened = ({views, at}: ModelPane, view: string): ModelPane =>
  views[at] === view ? {views, at} : {views: [...views.slice(0, at + 1), view], at: at + 1};

/** Renames a view wherever it was visited; neighbours that are the same then are one visit. */
function renamed({views, at}: ModelPane, from: string, to: string): ModelPane {
  const now = views.map((view) => (view === from ? to : view));
  const isRepeat = now.map((view, index) => index > 0 && view === now[index - 1]);
  return {
    views: now.filter((_, index) => isRepeat[index] !== true),
    at: at - isRepeat.slice(0, at + 1).filter((repeat) => repeat).length,
  };
}

/** A screen with conversations of one channel, the plain lists beside it, and steps that change both. */
function historyFixture() {
  const {app, press, type} = listFixture({
    ...loadedConversations(),
    view: messagesView(topicNarrow(backend, 'deploy')),
    size: '160x40',
  });
  const moves = movedConversationListener(() => app);
  const model: Model = [{views: ['deploy'], at: 0}];
  const name = (view: Parameters<typeof viewTitle>[1]) => viewTitle(app.frame, view).replace('#backend › ', '');
  const step = (by: number) => {
    const [focused] = model;
    focused.at = Math.min(focused.views.length - 1, Math.max(0, focused.at + by));
  };
  const steps = {
    open: (topic: string) => {
      openConversation(app, topicConversation(backend, topic));
      model[0] = opened(model[0], topic);
    },
    back: () => {
      press('Alt-Left');
      step(-1);
    },
    forward: () => {
      press('Alt-Right');
      step(1);
    },
    focus: () => {
      press('Ctrl-W', 'w');
      if (model[1] !== undefined) model.reverse();
    },
    /** A new pane starts with the history of the one that it is made from. */
    split: () => {
      press('Ctrl-W', 'v');
      type('logs');
      press('Enter');
      const [focused, other = {...focused}] = model;
      model.splice(0, 2, opened(model[1] === undefined ? focused : other, 'logs'), model[1] ? focused : other);
    },
    close: () => {
      press('Ctrl-W', 'c');
      if (model[1] !== undefined) model.shift();
    },
    closeOther: () => {
      press('Ctrl-W', 'o');
      model.splice(1, 1);
    },
    rename: (from: string, to: string) => {
      const moved = {message_id: 2, stream_id: backend, orig_subject: from, subject: to};
      moves.onEvents?.([buildUpdateMessageEvent({...moved, propagate_mode: 'change_all'})]);
      if (from !== to) for (const [at, pane] of model.entries()) if (pane) model[at] = renamed(pane, from, to);
    },
  };
  const check = () => {
    const {view, otherPane} = app.screen;
    const shown = [view, ...(otherPane === undefined ? [] : [otherPane.view])].map(name);
    expect(shown).toEqual(model.map((pane) => pane?.views[pane.at]));
  };
  /** Goes back to the first view of both panes and forward to the last. */
  const checkHistories = () => {
    for (const _pane of [...model]) {
      for (const way of [steps.back, steps.forward]) {
        // One step more than there are: the ends stay.
        for (let left = model[0].views.length; left >= 0; left--) {
          way();
          check();
        }
      }
      steps.focus();
    }
  };
  return {steps, check, checkHistories, model, app};
}

type Step = readonly ['open', to: string] | readonly ['rename', from: string, to: string] | readonly [PlainStep];
type PlainStep = 'back' | 'forward' | 'focus' | 'split' | 'close' | 'closeOther';

function walk(steps: readonly Step[]): void {
  const fixture = historyFixture();
  for (const [name, from = '', to = ''] of steps) {
    fixture.steps[name](from, to);
    fixture.check();
  }
  fixture.checkHistories();
  fixture.app.end();
}

/** Two panes that have both visited three views, the second pane in front. */
const visited: readonly Step[] = [['split'], ['open', 'css'], ['focus'], ['open', 'tea'], ['open', 'ale'], ['focus']];

test.each<[string, ...Step[]]>([
  [
    'back and forward use the views of the focused pane',
    ['back'],
    ['focus'],
    ['back'],
    ['forward'],
    ['focus'],
    ['forward'],
  ],
  ['the other pane keeps where it can go forward', ['back'], ['back'], ['focus'], ['back'], ['focus'], ['forward']],
  ['a new view ends the way forward of its pane alone', ['back'], ['focus'], ['back'], ['open', 'dill']],
  ['a moved conversation is followed in both', ['open', 'tea'], ['back'], ['rename', 'tea', 'egg']],
  [
    'a move onto a neighbour leaves one visit',
    ['back'],
    ['rename', 'css', 'logs'],
    ['focus'],
    ['rename', 'ale', 'tea'],
  ],
  ['after closing the focused pane the other one has its own', ['back'], ['close']],
  ['after closing the other pane the focused one has its own', ['focus'], ['back'], ['closeOther']],
  ['what is shown in the pane without focus has that history', ['back'], ['focus'], ['back'], ['split']],
])('history of two panes: %s', (_behaviour, ...steps) => {
  walk([...visited, ...steps]);
});

const topic = fc.constantFrom('deploy', 'logs', 'css', 'tea');
const plain = fc.constantFrom<PlainStep>('back', 'forward', 'focus', 'split', 'close', 'closeOther');
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {weight: 4, arbitrary: fc.tuple(fc.constant('open' as const), topic)},
  {weight: 1, arbitrary: fc.tuple(fc.constant('rename' as const), topic, topic)},
  {weight: 8, arbitrary: fc.tuple(plain)},
);

test('history of two panes: in random walks each goes back and forward through its own views', () => {
  fc.assert(fc.property(fc.array(anyStep, {minLength: 10, maxLength: 40}), walk), {numRuns: fewOrAll(15, 300)});
});

test('history: a renamed topic is there once in a row, also ahead, and is not the same in another account', () => {
  const {app} = listFixture({view: conversation('deploy')});
  const visit = (topic: string, account = app.info.accountName) => ({account, view: conversation(topic)});
  app.set({
    back: [visit('css'), visit('tea'), visit('tea', 'beta'), visit('css', 'beta')],
    forward: [visit('css'), visit('tea'), visit('css')],
  });
  redirectViews(app, topicConversation(backend, 'css'), topicConversation(backend, 'tea'));
  expect(app.screen.back).toEqual([visit('tea'), visit('tea', 'beta'), visit('css', 'beta')]);
  expect(app.screen.forward).toEqual([visit('tea')]);
});

test('history: a topic that is renamed to one that was read keeps the place there, unless it is on the screen', () => {
  const places = (shown: string) => {
    const {app} = listFixture({view: conversation(shown)});
    const at = (selected: number) => ({...newTimelineState, selected});
    app.set({
      back: [{account: app.info.accountName, view: conversation('css')}],
      timelines: new Map([
        [viewKey(conversation('css')), at(1)],
        [viewKey(conversation('tea')), at(2)],
      ]),
    });
    redirectViews(app, topicConversation(backend, 'css'), topicConversation(backend, 'tea'));
    return [...app.screen.timelines].map(([, {selected}]) => selected);
  };
  expect(places('logs')).toEqual([2]);
  expect(places('css')).toEqual([1]);
});

test('history: of more than a hundred views the latest are kept', () => {
  const {app} = listFixture({view: conversation('deploy')});
  for (let at = 0; at < 102; at++) openConversation(app, topicConversation(backend, `topic ${at}`));
  expect([app.screen.back.length, app.screen.back[0]?.view, app.screen.back.at(-1)?.view]).toEqual([
    100,
    conversation('topic 1'),
    conversation('topic 100'),
  ]);
});
