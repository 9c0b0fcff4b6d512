import {onTestFailed} from 'vitest';
import type {App} from '#app/core/app.ts';
import {selectRow} from '#app/message-pane/selection.ts';
import {openConversation} from '#app/navigation/navigation.ts';
import {reportUnknownResults} from '#app/requests/server-request.ts';
import {reportRefusals} from '#app/watchers/report-problems.ts';
import type {ServerOptions} from '#server/server.ts';
import {topicConversation} from '#state/model/conversation.ts';
import type {Session} from '#state/session.ts';
import {hasMessage, type SessionFixture, sessionFixture, waitForState} from '#test/state/session-fixture.ts';
import {type AppFixture, appFixture} from '#test/support/app-fixture.ts';
import {textOf} from '#test/support/frame-fixture.ts';
import {overlayLines} from '#test/support/part-lines.ts';
import {selectedMessage} from '#ui/message-pane/selected-message.ts';

export interface MessageFixture extends AppFixture {
  readonly fixture: SessionFixture;
  readonly session: Session;
  /** Selects the message in Meg's client. */
  select(messageId: number): Promise<void>;
  /** The top overlay as text; undefined when none is open. */
  overlay(): string | undefined;
  /** Waits until the top overlay or the toast contains the text, and returns both. */
  says(expected: string | RegExp): Promise<string>;
}

export interface MessageFixtureOptions {
  readonly server?: ServerOptions;
  readonly app?: Partial<Omit<Parameters<typeof appFixture>[0], 'session'>>;
}

/** Meg's client in a topic where Otto writes. */
export async function messageFixture(options: MessageFixtureOptions = {}): Promise<MessageFixture> {
  const fixture = await sessionFixture(options.server);
  const session: Session = fixture.session({
    pendingChanges: {onRefusal: reportRefusals(() => app)},
    onUnknown: reportUnknownResults(() => app),
  });
  session.start();
  await session.ready();
  const parts = appFixture({session, size: '100x40', ...options.app});
  const {app}: AppFixture = parts;
  return {
    ...parts,
    fixture,
    session,
    select: async (messageId) => {
      await session.fetchMessage(messageId);
      const {messages} = await waitForState(session, hasMessage(messageId));
      const message = messages.byId.get(messageId);
      if (message?.kind === 'channel') {
        openConversation(app, topicConversation(message.channelId, message.topic), {anchor: messageId});
      } else if (message !== undefined) {
        openConversation(app, {kind: 'direct', userIds: message.userIds}, {anchor: messageId});
      }
      await untilApp(app, () => selectedMessage(app) !== undefined);
      selectRow(app, messageId);
      await untilApp(app, () => selectedMessage(app)?.id === messageId);
    },
    overlay: () => overlayText(app),
    says: async (expected) => {
      let text = '';
      let isSaid = false;
      onTestFailed(() => {
        if (!isSaid) console.error(`Waited for ${expected}, and this is shown:\n${text}`);
      });
      await untilApp(app, () => {
        text = [overlayText(app) ?? '', app.screen.toast?.text ?? ''].join('\n');
        isSaid = typeof expected === 'string' ? text.includes(expected) : expected.test(text);
        return isSaid;
      });
      return text;
    },
  };
}

function overlayText(app: App): string | undefined {
  if (app.screen.overlays.length === 0) return undefined;
  return textOf(overlayLines(app.frame)).join('\n');
}

/** Waits for frames until the condition holds. */
export function untilApp(app: App, holds: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!holds()) return;
      unsubscribe();
      resolve();
    };
    const unsubscribe = app.frames.subscribe(look);
    look();
  });
}
