import {openConversation} from '#app/navigation/navigation.ts';
import {topicConversation} from '#state/model/conversation.ts';
import type {Session} from '#state/session.ts';
import type {AccountState} from '#state/state.ts';
import {hasMessage, type SessionFixture, sessionFixture, waitForState} from '#test/state/session-fixture.ts';
import {type AppFixture, type AppFixtureOptions, appFixture} from '#test/support/app-fixture.ts';
import {textOf} from '#test/support/frame-fixture.ts';
import {composerLines} from '#test/support/part-lines.ts';
import {selectedMessage} from '#ui/message-pane/selected-message.ts';
import {screenLayout} from '#ui/screen-layout.ts';

export interface ComposeFixture extends AppFixture {
  readonly fixture: SessionFixture;
  readonly session: Session;
  /** The composer's rows as text. */
  rows(): readonly string[];
  /** The composer's text. */
  text(): string;
  until(holds: (state: AccountState) => boolean): Promise<AccountState>;
  /** Waits for a condition on the screen rather than in the account. */
  shows(holds: () => boolean): Promise<void>;
}

/** Meg in `#general › talk`, with a message from Otto. With a clock, the session follows it too. */
export async function composeFixture(options: Partial<AppFixtureOptions> = {}): Promise<ComposeFixture> {
  const fixture = await sessionFixture();
  const first = await fixture.postMessage('hello there');
  const session = fixture.session(options.clock && {clock: options.clock});
  session.start();
  await session.ready();
  const app = appFixture({size: '80x24', ...options, session});
  openConversation(app.app, topicConversation(fixture.channelId, 'talk'));
  await waitForState(session, hasMessage(first));
  const shows = (holds: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const look = () => {
        if (holds()) resolve();
        else setTimeout(look, 2);
      };
      look();
    });
  await shows(() => selectedMessage(app.app) !== undefined);
  return {
    ...app,
    fixture,
    session,
    rows: () => {
      const rect = screenLayout(app.app.frame).composer;
      return rect === undefined ? [] : textOf(composerLines(app.app.frame, rect));
    },
    text: () => app.app.screen.composer.field.text,
    until: (holds) => waitForState(session, holds),
    shows,
  };
}
