import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import {expect} from 'vitest';
import {makeApi} from '#api/api.ts';
import {Connection} from '#api/connection.ts';
import {openView} from '#app/navigation/navigation.ts';
import {topicConversation} from '#state/model/conversation.ts';
import {conversationNarrow, narrowKey} from '#state/model/narrow.ts';
import {emptyTimeline} from '#state/model/timeline.ts';
import {createSession} from '#state/session.ts';
import type {AccountState} from '#state/state.ts';
import {SortedSet} from '#std/sorted-map.ts';
import {openAccountStore} from '#storage/open-account-store.ts';
import {noonMs, triageAccount, web} from '#test/app/inbox/triage-fixture.ts';
import {createApp} from '#test/support/create-app.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {paintedPanes} from '#test/support/painted-panes.ts';
import {slowTest} from '#test/support/tier.ts';
import {messagesView} from '#ui/core/frame.ts';

/** Outside of functions that know an app: closures of one function keep all that any of them uses. */
const log = () => {};
const offline = {phase: 'offline', since: 0, retryAt: undefined, problem: '', savedAt: undefined} as const;
const narrow = conversationNarrow(topicConversation(web, 'login'));

/** Shows messages in an app of its own that highlights code, and ends it. */
async function endedApp(account: AccountState): Promise<WeakRef<object>> {
  const clock = new ManualClock(noonMs);
  const {store} = openAccountStore({path: ':memory:', clock, random: Math.random, log});
  const connection = new Connection({site: 'http://127.0.0.1:9', userAgent: 'ParleyTest/1.0'});
  const session = createSession({
    api: makeApi(connection),
    store,
    clock,
    random: Math.random,
    log,
    initial: {...account, connection: offline},
  });
  const {app, press} = createApp({session, clock});
  app.setDisplay({highlight: () => (app.info.isReadOnly ? [] : undefined)});
  for (const view of [{kind: 'inbox'}, messagesView(narrow)] as const) {
    openView(app, view);
    app.frames.paintNow();
    paintedPanes(app.frame);
  }
  press('Ctrl-W', 'v', 'j');
  expect(paintedPanes(app.frame).join('\n')).toContain('message 6');
  app.end();
  await session.stop();
  await connection.close();
  store.close();
  return new WeakRef(app);
}

slowTest('ended app: what was remembered of its frames does not keep it in memory', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  // The messages stay, as they do in the apps of other accounts and in tests.
  const {timelines, ...rest} = triageAccount();
  const timeline = {...emptyTimeline(narrow), ids: SortedSet.from<number>([5, 6]), hasOldest: true, hasNewest: true};
  const account = {...rest, timelines: timelines.with(narrowKey(narrow), timeline)};
  const app = await endedApp(account);
  // Its requests end first, and the target of a WeakRef is kept until the task that read it has ended.
  const isInMemory = () => {
    collectGarbage();
    return app.deref() !== undefined;
  };
  await expect.poll(isInMemory).toBe(false);
  expect(account.messages.byId.size).toBeGreaterThan(0);
});
