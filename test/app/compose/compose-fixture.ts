import {composerLines} from '#app/compose/pane/composer-pane.ts';
import {screenLayout} from '#app/layout/screen-layout.ts';
import {openConversation} from '#app/navigation/navigation.ts';
import {selectedMessage} from '#app/timeline/selection.ts';
import {topicConversation} from '#state/model/conversation.ts';
import type {Session} from '#state/session.ts';
import type {AccountState} from '#state/state.ts';
import {hasMessage, type SessionFixture, sessionFixture, waitForState} from '#test/state/session-fixture.ts';
import {type AppFixture, type AppFixtureOptions, appFixture} from '#test/support/app-fixture.ts';
import {textOf} from '#test/support/frame-fixture.ts';

export interface ComposeFixture extends AppFixture {
  readonly stage: SessionFixture;
  readonly session: Session;
  /** The rows of the composer as they are read. */
  rows(): readonly string[];
  /** The text that is being written. */
  text(): string;
  until(holds: (state: AccountState) => boolean): Promise<AccountState>;
  /** Waits for something on the screen rather than in the account. */
  shows(holds: () => boolean): Promise<void>;
}

/** Meg in `#general › talk`, where Otto has said something. */
export async function composeFixture(options: Partial<AppFixtureOptions> = {}): Promise<ComposeFixture> {
  const stage = await sessionFixture();
  const first = await stage.say('hello there');
  const session = stage.session();
  session.start();
  await session.ready();
  const app = appFixture({size: '80x24', ...options, session});
  openConversation(app.app, topicConversation(stage.channelId, 'talk'));
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
    stage,
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
